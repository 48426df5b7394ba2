import { batch, type Signal } from "@preact/signals";
import type { TargetFormat } from "../../tools/image-convert.ts";
import { formatNumber } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { Choices } from "../parts/field.tsx";

/** The usual settings for a purpose. The side is the longer one, in pixels; that for printing is A4 at 300 dpi. */
const PRESETS = {
  web: { format: "webp", quality: 80, side: 1920 },
  mail: { format: "jpeg", quality: 75, side: 1280 },
  print: { format: "jpeg", quality: 92, side: 3508 },
} as const;

type Preset = keyof typeof PRESETS;

interface PresetValues {
  readonly choice: Signal<TargetFormat | "same">;
  readonly quality: Signal<number>;
  readonly width: Signal<string>;
  readonly height: Signal<string>;
}

/** Sets format, quality and size together; changing one of them afterwards makes a custom choice. */
export function Presets({ values }: { values: PresetValues }) {
  const t = words().image;
  const shown = presetOf(values);
  const value = {
    get value() {
      return shown;
    },
    set value(preset: Preset | "own") {
      setPreset(preset, values);
    },
  };
  const side = shown === "own" ? undefined : PRESETS[shown].side;
  return (
    <Choices
      label={t.preset}
      value={value}
      choices={t.presets}
      {...(side !== undefined && { hint: fill(t.presetHint, { side: formatNumber(side) }) })}
    />
  );
}

function presetOf({ choice, quality, width, height }: PresetValues): Preset | "own" {
  const isSet = (preset: Preset) => {
    const { format, quality: least, side } = PRESETS[preset];
    const isSize = width.value === String(side) && height.value === String(side);
    return isSize && choice.value === format && quality.value === least;
  };
  return (["web", "mail", "print"] as const).find(isSet) ?? "own";
}

function setPreset(preset: Preset | "own", { choice, quality, width, height }: PresetValues): void {
  batch(() => {
    if (preset === "own") {
      width.value = height.value = "";
      return;
    }
    const { format, quality: least, side } = PRESETS[preset];
    choice.value = format;
    quality.value = least;
    width.value = height.value = String(side);
  });
}
