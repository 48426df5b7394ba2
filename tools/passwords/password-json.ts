import { utf8, type Bytes } from "../../wire/bytes.ts";
import { generateFromList, type PasswordAnswer, type PasswordRequest } from "../password.ts";

// Each member of the union without its passwords, and not what all of them have in common.
type About<Answer> = Answer extends unknown ? Omit<Answer, "passwords"> : never;

/** What there is to say of passwords, which are JSON and lines in UTF-8 already: for whoever only passes them on. */
type WrittenPasswords = { about: About<PasswordAnswer>; json: Bytes; lines: Bytes };

/** generateFromList, for a worker. @throws ToolFailure as generateFromList */
export async function passwordsToJson(request: PasswordRequest): Promise<WrittenPasswords> {
  const { passwords, ...about } = await generateFromList(request);
  const lines = passwords.map((password) => `${password}\n`).join("");
  return { about, json: utf8(JSON.stringify(passwords)), lines: utf8(lines) };
}
