import { useSignal, type Signal } from "@preact/signals";
import type { ConvertedImage, TargetFormat } from "../../../tools/image-convert.ts";
import { Choices, Field } from "../../parts/field.tsx";
import { FileTool, useFileJob, type Work } from "../../files/file-tool.tsx";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { BeforeAfter } from "../../image/before-after.tsx";
import {
  isLossless,
  MoreOptions,
  readMore,
  useMoreOptions,
  type MadeOptions,
} from "../../image/more-options.tsx";
import { convertAll } from "../../image/convert-all.ts";
import { resultName } from "../../files/file-names.ts";
import { formatList } from "../../app/language/format.ts";
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
  const format = useSignal<TargetFormat>("webp");
  const quality = useSignal(82);
  const options = useMoreOptions();
  const job = useFileJob();
  const chosen = () => ({ format: format.value, quality: quality.value, ...readMore(options, format.value) });
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
        options={chosen()}
        isOnlyOnServer={isLossless(options, format.value)}
        here={convertAll(more, convertHere(chosen()))}
        onServer={convertAll(more, convertOnServer(chosen()))}
        preview={(made) =>
          file.value && more.value.length === 0 && <BeforeAfter before={file.value} after={made.file} />
        }
        curl={({ name }) => convertLine(name, chosen())}
      >
        <Choices label={t.format} value={format} choices={FORMATS} hint={t.hints[format.value]} />
        {format.value !== "png" && !isLossless(options, format.value) && <Quality quality={quality} />}
        <MoreOptions options={options} format={format.value} />
      </FileTool>
    </section>
  );
}

interface Options extends MadeOptions {
  readonly format: TargetFormat;
  readonly quality: number;
}

function convertHere(options: Options): Work {
  return async (file, control) =>
    present(file, await runHere("convertImage", { args: [file, options], control }));
}

function convertOnServer(options: Options): Work {
  return async (file, control) => {
    const input = { file: await bytesOf(file), ...options };
    const made = await server.tools.imageConvert.mutate(input, callOptions(control));
    return present(file, { ...made, bytes: made.data });
  };
}

function convertLine(fileName: string, { format, quality, ...more }: Options): string {
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
}

function present(file: File, made: ImageAnswer): MadeFile {
  const { bytes, format, width, height, metadataRemoved, warnings } = made;
  const t = words().image;
  const name = resultName(file, { suffix: "", extension: extensionOf(format) });
  const removed =
    metadataRemoved.length > 0
      ? formatList(metadataRemoved.map((kind) => nameOf(t.metadata, kind)))
      : t.nothingRemoved;
  return {
    file: makeFile(bytes, { name, type: `image/${format}` }),
    facts: { [t.size]: `${width} × ${height}`, [t.removed]: removed },
    warnings,
  };
}
