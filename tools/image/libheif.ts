import { ToolFailure } from "../../wire/tool-failure.ts";

let load: (() => Promise<unknown>) | undefined;

/** Says where libheif is: what has no HEIC need not have it, nor look for it when it is bundled. */
export function provideLibheif(loader: () => Promise<unknown>): void {
  load = loader;
}

/** The module libheif-js/libheif-wasm/libheif-bundle.mjs. @throws ToolFailure unsupported_feature where nobody gave it */
export async function loadLibheif(): Promise<unknown> {
  if (load) return load();
  const error = 'HEIC images need libheif-js: install it, and import "@hushkit/tools/heic" once';
  throw new ToolFailure("unsupported_feature", error);
}
