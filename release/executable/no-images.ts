import type { SteppedCodec } from "../../tools/image-convert.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";

// Stands for adapters/workers/image-sharp.ts: sharp loads libvips, a native library, from a path beside it, so it
// cannot be inside an executable.
export function createSharpCodec(): SteppedCodec {
  return { encode: refuse, steps: { decode: refuse, encode: refuse } };
}

async function refuse(): Promise<never> {
  throw new ToolFailure(
    "unsupported_feature",
    "Hushkit as one executable converts no images, because the native library for them cannot be inside it; " +
      "the pages convert images in the browser, and a Hushkit installed with npm does it too",
  );
}
