import { ToolFailure } from "../../wire/tool-failure.ts";
import { hashFile } from "../file-hash.ts";
import { partsOf, type ByteSource } from "./chunks.ts";

/**
 * The password that a key file stands for (docs/formats.md, 4): its SHA-256 in hexadecimal, behind a password where there
 * is one too. So every door that takes a password takes key files.
 * @throws ToolFailure invalid_parameter for an empty file, which would protect nothing
 */
export async function keyFilePassword(
  keyFile: ByteSource,
  { password = "" }: { password?: string } = {},
): Promise<string> {
  const { size, digests } = await hashFile(partsOf(keyFile), { algorithms: ["sha256"] });
  if (size > 0 && digests.sha256) return password + digests.sha256;
  throw new ToolFailure("invalid_parameter", "The key file is empty", { parameter: "keyFile" });
}
