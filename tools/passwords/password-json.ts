import { utf8, type Bytes } from "../../wire/bytes.ts";
import { generateFromList, type PasswordAnswer, type PasswordRequest } from "../password.ts";

// Each member of the union without its passwords, instead of only their common fields.
type PasswordFacts<Answer> = Answer extends unknown ? Omit<Answer, "passwords"> : never;

/** generateFromList for a worker. @throws ToolFailure as generateFromList */
export async function passwordsToJson(
  request: PasswordRequest,
): Promise<{ about: PasswordFacts<PasswordAnswer>; json: Bytes; lines: Bytes }> {
  const { passwords, ...about } = await generateFromList(request);
  const lines = passwords.map((password) => `${password}\n`).join("");
  return { about, json: utf8(JSON.stringify(passwords)), lines: utf8(lines) };
}
