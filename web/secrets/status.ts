import { postForJson, type AnswerOf, type Secrets } from "../api/rest.ts";
import type { SecretLink } from "../../wire/links/links.ts";
import { SERVER_URL } from "../app/paths/base.ts";

/** The state of a secret, which can be read without opening it. */
export type StatusAnswer = AnswerOf<Secrets["status"]>;

/** Requests the state of a secret. This opens nothing and changes nothing. */
export function fetchStatus({ id, key }: SecretLink): Promise<StatusAnswer> {
  return postForJson<StatusAnswer>(`/api/secrets/${id}/status`, { key });
}

/** The shell command that opens a secret which the server has encrypted; a file gets its name. */
export function openingLine(
  { id, key }: { readonly id: string; readonly key: string },
  { hasPassphrase, kind }: Pick<StatusAnswer, "hasPassphrase" | "kind">,
): string {
  const passphrase = hasPassphrase ? ` --data-urlencode "passphrase=$PASSPHRASE"` : "";
  const [save, path] = kind === "file" ? ["-OJ ", "file"] : ["", "reveal?raw=true"];
  return `curl ${save}-d key=${key}${passphrase} '${SERVER_URL}/api/secrets/${id}/${path}'`;
}
