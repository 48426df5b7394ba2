import type { Signal } from "@preact/signals";
import type { TargetFormat } from "../../tools/image-convert.ts";
import { useDraft } from "../app/paths/history.ts";
import { isForMembers } from "../api/limits.ts";
import { numberFormat, words } from "../app/language/words.ts";
import { Check, Choices, Field, NumberField, Select, TextField } from "../parts/field.tsx";

type ChosenOptions = ReturnType<typeof useMoreOptions>;

type Rotation = "0" | "90" | "180" | "270";

/** As `Intl` calls them, with their bytes. */
const SIZE_UNITS = { kilobyte: 1000, megabyte: 1_000_000 } as const;

type SizeUnit = keyof typeof SIZE_UNITS;

/** The options as the tool takes them; unset ones are absent. */
export interface MadeOptions {
  readonly width?: number;
  readonly height?: number;
  readonly linear?: true;
  readonly rotate?: 90 | 180 | 270;
  readonly crop?: string;
  readonly bytes?: number;
  readonly lossless?: true;
  readonly background?: string;
}

const WHITE = "#ffffff";
const MAX_SIDE = 65_535;

/** Rarely used options: sizes as they are typed, empty for none. */
export function useMoreOptions() {
  return {
    width: useDraft("width", ""),
    height: useDraft("height", ""),
    linear: useDraft("linear", false),
    rotate: useDraft<Rotation>("rotate", "0"),
    crop: useDraft("crop", ""),
    fileSize: useDraft("fileSize", ""),
    sizeUnit: useDraft<SizeUnit>("sizeUnit", "kilobyte"),
    lossless: useDraft("lossless", false),
    background: useDraft("background", WHITE),
  };
}

/** Whether the format supports lossless compression, and it is chosen. */
export function isLossless({ lossless }: ChosenOptions, format: TargetFormat): boolean {
  return lossless.value && canBeLossless(format);
}

/** Whether pixels are averaged in linear light; only used where there are fewer of them. */
export function isLinear({ linear, width, height }: ChosenOptions): boolean {
  return linear.value && (width.value !== "" || height.value !== "");
}

export function readMore(options: ChosenOptions, format: TargetFormat): MadeOptions {
  const { width, height, background, rotate, crop, fileSize, sizeUnit } = options;
  return {
    ...(rotate.value === "0" ? {} : { rotate: ROTATIONS[rotate.value] }),
    ...(crop.value.trim() ? { crop: crop.value.replaceAll(/\s/g, "") } : {}),
    ...(fileSize.value ? { bytes: Math.round(Number(fileSize.value) * SIZE_UNITS[sizeUnit.value]) } : {}),
    ...(isLinear(options) ? { linear: true } : {}),
    ...(width.value ? { width: Number(width.value) } : {}),
    ...(height.value ? { height: Number(height.value) } : {}),
    ...(isLossless(options, format) ? { lossless: true } : {}),
    // The other formats keep transparency.
    ...(format === "jpeg" && background.value !== WHITE ? { background: background.value } : {}),
  };
}

const ROTATIONS = { "90": 90, "180": 180, "270": 270 } as const;
const MOST_BYTES = 1_000_000_000;

function canBeLossless(format: TargetFormat): boolean {
  return format === "webp" || format === "avif";
}

/** The maximum sides, and further options of the format. */
export function MoreOptions({ options, format }: { options: ChosenOptions; format: TargetFormat }) {
  const t = words().image;
  return (
    <details>
      <summary>{words().share.more}</summary>
      <div class="fields">
        <NumberField label={t.width} value={options.width} minimum={1} maximum={MAX_SIDE} />
        <NumberField label={t.height} value={options.height} minimum={1} maximum={MAX_SIDE} />
      </div>
      <p class="hint">{t.sidesHint}</p>
      {(options.width.value || options.height.value) && !isForMembers("tools") && (
        <>
          <Check label={t.linear} value={options.linear} />
          <p class="hint">{t.linearHint}</p>
        </>
      )}
      <Choices label={t.rotate} value={options.rotate} choices={t.rotations} />
      <TextField label={t.crop} hint={t.cropHint} placeholder="0,0,800,600" value={options.crop} isCode />
      <SizeField size={options.fileSize} unit={options.sizeUnit} />
      {canBeLossless(format) && !isForMembers("tools") && (
        <>
          <Check label={t.lossless} value={options.lossless} />
          <p class="hint">{t.losslessHint}</p>
        </>
      )}
      {format === "jpeg" && (
        <Field label={t.background}>
          {(ids) => (
            <input
              {...ids}
              class="short"
              type="color"
              value={options.background.value}
              onInput={({ currentTarget }) => (options.background.value = currentTarget.value)}
            />
          )}
        </Field>
      )}
    </details>
  );
}

function SizeField({ size, unit }: { size: Signal<string>; unit: Signal<SizeUnit> }) {
  const bytes = SIZE_UNITS[unit.value];
  const names = { kilobyte: formatUnit("kilobyte"), megabyte: formatUnit("megabyte") };
  return (
    <Field label={words().image.bytes}>
      {(ids) => (
        <div class="beside">
          <input
            {...ids}
            class="short"
            type="number"
            min={1 / bytes}
            max={MOST_BYTES / bytes}
            step="any"
            value={size.value}
            onInput={({ currentTarget }) => (size.value = currentTarget.value)}
          />
          <Select aria-label={words().lifetime.unit} value={unit} names={names} />
        </div>
      )}
    </Field>
  );
}

/** The name of a unit as sizes are written: `kB`, or `ko` in French. */
function formatUnit(unit: SizeUnit): string {
  const parts = numberFormat({ style: "unit", unit, unitDisplay: "short" }).formatToParts(1);
  return parts.find(({ type }) => type === "unit")?.value ?? unit;
}
