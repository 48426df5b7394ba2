import { useSignal, type Signal } from "@preact/signals";
import type { ConvertedImage, TargetFormat } from "../../../tools/image-convert.ts";
import { Choices, Field } from "../../parts/field.tsx";
import { FileTool, useFileJob, type Work } from "../../files/file-tool.tsx";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { BeforeAfter } from "../../image/before-after.tsx";
import {
  isLinear,
  isLossless,
  MoreOptions,
  readMore,
  useMoreOptions,
  type MadeOptions,
} from "../../image/more-options.tsx";
import { convertAll } from "../../image/convert-all.ts";
import { resultName } from "../../files/file-names.ts";
import { formatList, formatNumber } from "../../app/language/format.ts";
import { fill, nameOf, words } from "../../app/language/words.ts";
import { bytesOf, callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { PageHead } from "../../app/shell.tsx";
import { runHere } from "../../work/run.ts";

const FORMATS = { webp: "WebP", jpeg: "JPEG", png: "PNG", avif: "AVIF" } as const satisfies Record<
  TargetFormat,
  string
>;
/** Converts an image and removes its location and camera data. */
export function Page() {
  const t = words().image;
  const file = useSignal<File | undefined>(undefined);
  const more = useSignal<readonly File[]>([]);
  const choice = useSignal<TargetFormat | "same">("webp");
  const quality = useSignal(82);
  const options = useMoreOptions();
  const job = useFileJob();
  const format = choice.value === "same" ? undefined : choice.value;
  const chosen = format && { format, quality: quality.value, ...readMore(options, format) };
  return (
    <section class="page">
      <PageHead title={words().pages["image-convert"].title}>{t.lead}</PageHead>
      <FileTool
        what={words().files.images}
        kind="image"
        file={file}
        more={more}
        job={job}
        action={t.submit}
        doing={t.busy}
        options={chosen ?? { metadata: "strip" }}
        isOnlyOnServer={format !== undefined && (isLossless(options, format) || isLinear(options))}
        here={convertAll(more, convertHere(chosen))}
        onServer={convertAll(more, convertOnServer(chosen))}
        preview={(made) =>
          file.value && more.value.length === 0 && <BeforeAfter before={file.value} after={made.file} />
        }
        curl={({ name }) => convertLine(name, chosen)}
      >
        <Choices
          label={t.format}
          value={choice}
          choices={{ ...FORMATS, same: t.same }}
          hint={t.hints[choice.value]}
        />
        {format && format !== "png" && !isLossless(options, format) && <Quality quality={quality} />}
        {format && <MoreOptions options={options} format={format} />}
      </FileTool>
    </section>
  );
}

interface Options extends MadeOptions {
  readonly format: TargetFormat;
  readonly quality: number;
}

function convertHere(options: Options | undefined): Work {
  return async (file, control) => {
    if (!options) return present(file, await runHere("stripMetadata", { args: [file], control }));
    return present(file, await runHere("convertImage", { args: [file, options], control }));
  };
}

function convertOnServer(options: Options | undefined): Work {
  return async (file, control) => {
    const input = { file: await bytesOf(file), ...(options ?? ({ metadata: "strip" } as const)) };
    const made = await server.tools.imageConvert.mutate(input, callOptions(control));
    return present(file, { ...made, bytes: made.data });
  };
}

function convertLine(fileName: string, options: Options | undefined): string {
  if (!options) {
    const query = { metadata: "strip" };
    return curlToolCommand({ tool: "image-convert", fileName, query, output: `stripped-${fileName}` });
  }
  const { format, quality, ...more } = options;
  const given = Object.entries(more).map(([name, value]) => [name, String(value)] as const);
  const isExact = format === "png" || more.lossless;
  const query = { format, quality: isExact ? undefined : String(quality), ...Object.fromEntries(given) };
  return curlToolCommand({ tool: "image-convert", fileName, query, output: `image.${extensionOf(format)}` });
}

function Quality({ quality }: { quality: Signal<number> }) {
  const t = words().image;
  return (
    <Field label={fill(t.quality, { quality: quality.value })} hint={t.qualityHint}>
      {(ids) => (
        <input
          {...ids}
          type="range"
          min={1}
          max={100}
          value={quality.value}
          onInput={(event) => (quality.value = Number(event.currentTarget.value))}
        />
      )}
    </Field>
  );
}

function extensionOf(format: TargetFormat): string {
  return format === "jpeg" ? "jpg" : format;
}

interface ImageAnswer extends Pick<ConvertedImage, "bytes" | "format" | "width" | "height" | "warnings"> {
  readonly metadataRemoved: readonly string[];
  readonly quality?: number | undefined;
}

function present(file: File, made: ImageAnswer): MadeFile {
  const { bytes, format, width, height, metadataRemoved, warnings, quality } = made;
  const t = words().image;
  const name = resultName(file, { suffix: "", extension: extensionOf(format) });
  const removed =
    metadataRemoved.length > 0
      ? formatList(metadataRemoved.map((kind) => nameOf(t.metadata, kind)))
      : t.nothingRemoved;
  return {
    file: makeFile(bytes, { name, type: `image/${format}` }),
    facts: {
      [t.size]: `${width} × ${height}`,
      ...(quality !== undefined && { [t.qualityFound]: formatNumber(quality) }),
      [t.removed]: removed,
    },
    warnings,
  };
}
