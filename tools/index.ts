// The entry of the package @hushkit/tools. Image codecs and all bytes come from the caller. Each group is also a
// separate entry, which a page may import alone.
export type { Bytes } from "../wire/bytes.ts";
export type { OnProgress } from "./file/progress.ts";
export * from "./entries/age.ts";
export * from "./entries/diff.ts";
export * from "./entries/hash.ts";
export * from "./entries/image.ts";
export * from "./entries/lock.ts";
export * from "./entries/password.ts";
export * from "./entries/pdf.ts";
