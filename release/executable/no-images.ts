import type { ImageCodec } from "../../tools/image-convert.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";

// Stands for adapters/workers/image-sharp.ts: libvips is a library of the system's kind, found by path beside sharp.
export function createSharpCodec(): Required<ImageCodec> {
  return { encode: refuse, steps: { decode: refuse, encode: refuse } };
}

async function refuse(): Promise<never> {
  throw new ToolFailure(
    "unsupported_feature",
    "Hushkit as one executable converts no images, because the library for it cannot be part of it; " +
      "the pages convert images in the browser, and a Hushkit installed with npm does it too",
  );
}
