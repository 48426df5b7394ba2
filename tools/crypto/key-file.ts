import { ToolFailure } from "../../wire/tool-failure.ts";
import { hashFile } from "../file-hash.ts";
import { partsOf, type ByteSource } from "./chunks.ts";
import type { Hasher } from "../native.ts";
import type { HashAlgorithm } from "./checksum-text.ts";

/**
 * The password that a key file stands for (docs/formats.md, 4): its SHA-256 in hexadecimal, behind a password where there
 * is one too. So every door that takes a password takes key files.
 * @throws ToolFailure invalid_parameter for an empty file, which would protect nothing
 */
export async function keyFilePassword(
  keyFile: ByteSource,
  { password = "", createHasher }: { password?: string; createHasher?: CreateHasher } = {},
): Promise<string> {
  const { size, digests } = await hashFile(partsOf(keyFile), { algorithms: ["sha256"], createHasher });
  if (size > 0 && digests.sha256) return password + digests.sha256;
  throw new ToolFailure("invalid_parameter", "The key file is empty", { parameter: "keyFile" });
}

type CreateHasher = ((algorithm: HashAlgorithm) => Promise<Hasher>) | undefined;
