import { ToolFailure } from "../../wire/tool-failure.ts";

/** The inner type of a file secret that is a bundle (docs/formats.md, 8). */
export const BUNDLE_TYPE = "application/vnd.hushkit.bundle+zip";

export const MAX_BUNDLE_FILES = 20;

/** The message is one more entry. */
export const MAX_BUNDLE_ENTRIES = MAX_BUNDLE_FILES + 1;

/** The name of the first entry, where there is a message; no file has this name. */
export const MESSAGE_NAME = "message.txt";

/** The longest text of a member, with characters of four bytes. Opening a bundle holds its message in memory. */
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

/** The name of a bundle as one file: every program opens it as a ZIP. */
export const BUNDLE_NAME = "secret.zip";
