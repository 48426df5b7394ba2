import { ToolFailure } from "../../wire/tool-failure.ts";

let load: (() => Promise<unknown>) | undefined;

/** Registers a loader for libheif: programs without HEIC need not install it, nor have a bundler look for it. */
export function provideLibheif(loader: () => Promise<unknown>): void {
  load = loader;
}

/**
 * The module libheif-js/libheif-wasm/libheif-bundle.mjs.
 * @throws ToolFailure unsupported_feature without a registered loader
 */
export async function loadLibheif(): Promise<unknown> {
  if (load) return load();
  const error = 'HEIC images need libheif-js: install it, and import "@hushkit/tools/heic" once';
  throw new ToolFailure("unsupported_feature", error);
}
