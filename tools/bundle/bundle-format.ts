import { ToolFailure } from "../../wire/tool-failure.ts";

/** The inner type of a file secret that is a bundle (docs/formats.md, 8). */
export const BUNDLE_TYPE = "application/vnd.hushkit.bundle+zip";

export const MAX_BUNDLE_FILES = 20;

/** The message is one more. */
export const MAX_BUNDLE_ENTRIES = MAX_BUNDLE_FILES + 1;

/** Of the first entry, where there is a message; no file is called so. */
export const MESSAGE_NAME = "message.txt";

/** What a member may send as a text, of characters of four bytes. Whoever opens a bundle holds its message. */
export const MAX_MESSAGE_BYTES = 2_000_000;

export function tooManyFiles(actual: number): ToolFailure {
  const message = `${actual} files are too many: a bundle has at most ${MAX_BUNDLE_FILES} and a message`;
  const limit = { limit: "bundleFiles", value: MAX_BUNDLE_FILES, unit: "files", actual };
  return new ToolFailure("too_many_files", message, limit);
}

export function messageTooLong(actual: number): ToolFailure {
  const message = `The message has ${actual} bytes; in a bundle it has at most ${MAX_MESSAGE_BYTES}`;
  const limit = { limit: "bundleMessage", value: MAX_MESSAGE_BYTES, unit: "bytes", actual };
  return new ToolFailure("text_too_large", message, limit);
}

/** What a bundle is called where it is one file: every program opens it as a ZIP. */
export const BUNDLE_NAME = "secret.zip";
