import { SERVER_URL } from "../app/paths/base.ts";
import type { StatusAnswer } from "./status.ts";

/** The shell command that opens a secret which the server has sealed; a file gets its name. */
export function openingLine(
  { id, key }: { readonly id: string; readonly key: string },
  { hasPassphrase, kind }: Pick<StatusAnswer, "hasPassphrase" | "kind">,
): string {
  const passphrase = hasPassphrase ? ` --data-urlencode "passphrase=$PASSPHRASE"` : "";
  const [save, path] = kind === "file" ? ["-OJ ", "file"] : ["", "reveal?raw=true"];
  return `curl ${save}-d key=${key}${passphrase} '${SERVER_URL}/api/secrets/${id}/${path}'`;
}
