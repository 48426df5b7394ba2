// Importing @hushkit/tools/heic makes the tools read HEIC images.
import { provideLibheif } from "../image/libheif.ts";

// @ts-expect-error -- the package has no types for this entry, only for its C interface
provideLibheif(() => import("libheif-js/libheif-wasm/libheif-bundle.mjs"));
