// Checksums: @hushkit/tools/hash.
export { ToolFailure } from "../../wire/tool-failure.ts";
export { hashFile, type FileHash, type HashAlgorithm, type HashFileOptions } from "../file-hash.ts";
