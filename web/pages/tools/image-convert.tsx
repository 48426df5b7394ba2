import "../../style/tools.css";
import type { Signal } from "@preact/signals";
import { imageExtension, nameAfter } from "../../../tools/file/derived-name.ts";
import type { ConvertedImage, TargetFormat } from "../../../tools/image-convert.ts";
import { Choices, Field } from "../../parts/field.tsx";
import { useJob } from "../../parts/job.tsx";
import { FileTool, type Work } from "../../files/file-tool.tsx";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import type { UnfitFile } from "../../files/incoming.ts";
import { allowedPixels } from "../../api/limits.ts";
import { BeforeAfter, LivePreview } from "../../image/preview.tsx";
import {
  isLinear,
  isLossless,
  MoreOptions,
  readMore,
  useMoreOptions,
  type MadeOptions,
} from "../../image/more-options.tsx";
import { Presets } from "../../image/presets.tsx";
import { workOnEach } from "../../work/work-on-each.ts";
import { useDraft } from "../../app/paths/history.ts";
import { formatList, formatNumber } from "../../app/language/format.ts";
import { fill, nameOf, words } from "../../app/language/words.ts";
import { callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { PageHead } from "../../app/shell.tsx";
import { FirstPage } from "../../pdf/thumbnails.tsx";
import { bytesOf } from "../../work/read-chunks.ts";
import { runHere } from "../../work/run.ts";

const FORMATS = { webp: "WebP", jpeg: "JPEG", png: "PNG", avif: "AVIF" } as const satisfies Record<
  TargetFormat,
  string
>;
/** Converts an image and removes its location and camera data. */
export function Page() {
  const t = words().image;
  const file = useDraft<File | undefined>("file", undefined);
  const more = useDraft<readonly File[]>("more", []);
  const choice = useDraft<TargetFormat | "same">("choice", "webp");
  const quality = useDraft("quality", 82);
  const options = useMoreOptions();
  const job = useJob<MadeFile>();
  const format = choice.value === "same" ? undefined : choice.value;
  const chosen = format && { format, quality: quality.value, ...readMore(options, format) };
  const isLossy = format !== undefined && format !== "png" && !isLossless(options, format);
  const each = { more, name: "images.zip", costOf: imageCost, hasSizes: true };
  return (
    <section class="page">
      <PageHead title={words().pages["image-convert"].title}>{t.lead}</PageHead>
      <FileTool
        what={words().files.images}
        example="image-convert"
        kind="image"
        file={file}
        more={more}
        findUnfit={async (files) => (await loadChosen()).findUnfitImages(files, choice.value)}
        findMisfits={async (files, place) =>
          (await loadChosen()).findMisfits(files, { options: chosen, place })
        }
        instead={(unfit, take) => {
          const files = unfit.filter(canBeStripped).map((each) => each.file);
          if (files.length === 0) return null;
          return <StripButton choice={choice} onStrip={() => take(files)} />;
        }}
        job={job}
        action={t.submit}
        doing={t.busy}
        options={chosen ?? { metadata: "strip" }}
        isOnlyOnServer={format !== undefined && (isLossless(options, format) || isLinear(options))}
        here={workOnEach(convertHere(chosen), { ...each, place: "here" })}
        onServer={workOnEach(convertOnServer(chosen), { ...each, place: "server" })}
        preview={(made) =>
          file.value && more.value.length === 0 && <BeforeAfter before={file.value} after={made.file} />
        }
        curl={({ name }) => convertLine(name, chosen)}
        stage={
          file.value &&
          (isLossy && options.fileSize.value === "" ? (
            <LivePreview file={file.value} options={chosen ?? { format }} />
          ) : (
            more.value.length === 0 && <FirstPage file={file.value} password="" isLarge />
          ))
        }
        fields={
          <>
            <Presets values={{ choice, quality, width: options.width, height: options.height }} />
            <Choices
              label={t.format}
              value={choice}
              choices={{ ...FORMATS, same: t.same }}
              hint={t.hints[choice.value]}
            />
            {isLossy && <Quality quality={quality} />}
            {format && <MoreOptions options={options} format={format} />}
          </>
        }
      />
    </section>
  );
}

function loadChosen() {
  return import("../../image/chosen-images.ts");
}

async function imageCost(file: File): Promise<number> {
  return (await loadChosen()).imageCost(file);
}

/** Whether its metadata can be removed, for which it is not decoded. */
function canBeStripped({ file, failure }: UnfitFile): boolean {
  return failure.code === "too_many_pixels" && STRIPPED_TYPES.includes(file.type);
}

const STRIPPED_TYPES = ["image/jpeg", "image/png", "image/webp"];

function StripButton({ choice, onStrip }: { choice: Signal<string>; onStrip: () => void }) {
  return (
    <div class="actions">
      <button
        type="button"
        class="small"
        onClick={() => {
          choice.value = "same";
          onStrip();
        }}
      >
        {words().image.onlyStrip}
      </button>
    </div>
  );
}

interface Options extends MadeOptions {
  readonly format: TargetFormat;
  readonly quality: number;
}

function convertHere(options: Options | undefined): Work {
  return async (file, control) => {
    if (!options) return present(file, await runHere("stripMetadata", [file], control));
    return present(
      file,
      await runHere("convertImage", [file, { ...options, maxPixels: allowedPixels() }], control),
    );
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
  return curlToolCommand({
    tool: "image-convert",
    fileName,
    query,
    output: `image.${imageExtension(format)}`,
  });
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

function present(
  file: File,
  made: Pick<ConvertedImage, "bytes" | "format" | "width" | "height" | "warnings"> & {
    readonly metadataRemoved: readonly string[];
    readonly quality?: number | undefined;
  },
): MadeFile {
  const { bytes, format, width, height, metadataRemoved, warnings, quality } = made;
  const t = words().image;
  const name = nameAfter(file.name, { suffix: "", extension: imageExtension(format) });
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
