import type { Without } from "../file/finish-file.ts";
import { utf8, type Bytes } from "../../wire/bytes.ts";
import { generateFromList, type PasswordAnswer, type PasswordRequest } from "../password.ts";

/** generateFromList for a worker. @throws ToolFailure as generateFromList */
export async function passwordsToJson(
  request: PasswordRequest,
): Promise<{ about: Without<PasswordAnswer, "passwords">; json: Bytes; lines: Bytes }> {
  const { passwords, ...about } = await generateFromList(request);
  const lines = passwords.map((password) => `${password}\n`).join("");
  return { about, json: utf8(JSON.stringify(passwords)), lines: utf8(lines) };
}
