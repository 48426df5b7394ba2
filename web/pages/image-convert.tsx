import { useSignal, type Signal } from "@preact/signals";
import type { ConvertedImage, TargetFormat } from "../../tools/image-convert.ts";
import { Choices, Field } from "../parts/field.tsx";
import { FileTool, useFileJob, type Work } from "../files/file-tool.tsx";
import { makeFile, useObjectUrl, type MadeFile } from "../files/file-result.tsx";
import { resultName } from "../files/file-names.ts";
import { formatBytes } from "../app/format.ts";
import { bytesOf, server } from "../api/server.ts";
import { curlToolCommand } from "../app/curl.ts";
import { PageHead } from "../app/shell.tsx";
import { runHere } from "../work/run.ts";

const FORMATS = { webp: "WebP", jpeg: "JPEG", png: "PNG", avif: "AVIF" } as const satisfies Record<
  TargetFormat,
  string
>;
const NOTES = {
  webp: "Small, and every current browser shows it.",
  jpeg: "Opens everywhere. Transparent parts become white.",
  png: "Without loss, for drawings and screenshots.",
  avif: "The smallest, and the slowest to make.",
} as const satisfies Record<TargetFormat, string>;

/** Converts an image and removes its location and camera data. */
export function Page() {
  const file = useSignal<File | undefined>(undefined);
  const format = useSignal<TargetFormat>("webp");
  const quality = useSignal(82);
  const job = useFileJob();
  const options = () => ({ format: format.value, quality: quality.value });
  return (
    <section class="page">
      <PageHead title="Convert an image">
        To another format, upright, and without location, camera or other hidden data.
      </PageHead>
      <FileTool
        what="an image"
        accept="image/*"
        file={file}
        job={job}
        action="Convert"
        doing="Converting"
        options={options()}
        here={convertHere(options())}
        onServer={convertOnServer(options())}
        preview={(made) => file.value && <BeforeAfter before={file.value} after={made.file} />}
        curl={({ name }) => convertLine(name, options())}
      >
        <Choices label="Format" value={format} choices={FORMATS} hint={NOTES[format.value]} />
        {format.value !== "png" && <Quality quality={quality} />}
      </FileTool>
    </section>
  );
}

interface Options {
  readonly format: TargetFormat;
  readonly quality: number;
}

function convertHere(options: Options): Work {
  return async (file, control) =>
    present(file, await runHere("convertImage", { args: [file, options], control }));
}

function convertOnServer(options: Options): Work {
  return async (file, { signal }) => {
    const input = { file: await bytesOf(file), ...options };
    const made = await server.tools.imageConvert.mutate(input, { signal });
    return present(file, { ...made, bytes: made.data });
  };
}

function convertLine(fileName: string, { format, quality }: Options): string {
  const query = { format, quality: format === "png" ? undefined : String(quality) };
  return curlToolCommand({ tool: "image-convert", fileName, query, output: `image.${extensionOf(format)}` });
}

function Quality({ quality }: { quality: Signal<number> }) {
  return (
    <Field label={`Quality: ${quality.value}`} hint="82 looks like the original to most eyes.">
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

function BeforeAfter({ before, after }: { before: File; after: File }) {
  const saved = 1 - after.size / before.size;
  const change = saved >= 0 ? `${Math.round(saved * 100)} % smaller` : `${Math.round(-saved * 100)} % larger`;
  return (
    <div class="before-after">
      <Picture name="Before" file={before} note={formatBytes(before.size)} />
      <Picture name="After" file={after} note={`${formatBytes(after.size)}, ${change}`} />
    </div>
  );
}

function Picture({ name, file, note }: { name: string; file: File; note: string }) {
  const url = useObjectUrl(file);
  return (
    <figure>
      <img src={url} alt={`${name} the conversion`} />
      <figcaption>
        <strong>{name}</strong> <span class="hint">{note}</span>
      </figcaption>
    </figure>
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
  const name = resultName(file, { suffix: "", extension: extensionOf(format) });
  const removed = metadataRemoved.length > 0 ? metadataRemoved.join(", ") : "there was none";
  return {
    file: makeFile(bytes, { name, type: `image/${format}` }),
    facts: { Size: `${width} × ${height}`, "Hidden data left out": removed },
    warnings,
  };
}
