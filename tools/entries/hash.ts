// Checksums: @hushkit/tools/hash.
export * from "./shared/failure.ts";
export { hashFile, type FileHash, type HashAlgorithm, type HashFileOptions } from "../file-hash.ts";
