// The entry of the package @hushkit/tools. Image codecs and all bytes come from the caller. Each group is also a
// separate entry, which a page may import alone.
export type { Bytes } from "../../wire/bytes.ts";
export type { OnProgress } from "../file/progress.ts";
export * from "./age.ts";
export * from "./diff.ts";
export * from "./hash.ts";
export * from "./image.ts";
export * from "./lock.ts";
export * from "./password.ts";
export * from "./pdf.ts";
