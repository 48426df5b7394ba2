import "../../tools/entries/heic.ts";
import type { SteppedCodec } from "../../tools/image-convert.ts";
import { usageError } from "../exit.ts";

/**
 * The server's codec, so that both make the same bytes; sharp is a native library that not every machine has.
 * @throws CliError usage where it is not installed
 */
export async function loadCodec(): Promise<SteppedCodec> {
  try {
    return (await import("../../adapters/workers/image-sharp.ts")).createSharpCodec();
  } catch {
    throw usageError(
      "Images are converted here by the library sharp, which is not installed for this machine: " +
        "`npm install sharp` adds it. Or send them to a server with --server.",
    );
  }
}

/** The same codec, loaded for the first image that needs it. */
export const lazyCodec: SteppedCodec = {
  encode: async (...args) => (await loadCodec()).encode(...args),
  ignoresCodePoints: true,
  steps: {
    decode: async (...args) => (await loadCodec()).steps.decode(...args),
    encode: async (...args) => (await loadCodec()).steps.encode(...args),
  },
};
