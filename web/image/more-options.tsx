import { useSignal, type Signal } from "@preact/signals";
import type { TargetFormat } from "../../tools/image-convert.ts";
import { isForMembers } from "../api/limits.ts";
import { words } from "../app/language/words.ts";
import { Check, Field, NumberField } from "../parts/field.tsx";

/** What is seldom needed: sizes as they are typed, empty for none. */
interface ChosenOptions {
  readonly width: Signal<string>;
  readonly height: Signal<string>;
  readonly lossless: Signal<boolean>;
  readonly background: Signal<string>;
}

/** The same as the tool takes it; what is not set is absent. */
export interface MadeOptions {
  readonly width?: number;
  readonly height?: number;
  readonly lossless?: true;
  readonly background?: string;
}

const WHITE = "#ffffff";
const MAX_SIDE = 65_535;

export function useMoreOptions(): ChosenOptions {
  return {
    width: useSignal(""),
    height: useSignal(""),
    lossless: useSignal(false),
    background: useSignal(WHITE),
  };
}

/** Whether the format can be without loss, and shall be. */
export function isLossless({ lossless }: ChosenOptions, format: TargetFormat): boolean {
  return lossless.value && canBeLossless(format);
}

export function readMore(options: ChosenOptions, format: TargetFormat): MadeOptions {
  const { width, height, background } = options;
  return {
    ...(width.value ? { width: Number(width.value) } : {}),
    ...(height.value ? { height: Number(height.value) } : {}),
    ...(isLossless(options, format) ? { lossless: true } : {}),
    // The others keep what is transparent.
    ...(format === "jpeg" && background.value !== WHITE ? { background: background.value } : {}),
  };
}

function canBeLossless(format: TargetFormat): boolean {
  return format === "webp" || format === "avif";
}

/** The largest sides, and what the format has besides. */
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
