import { utf8, type Bytes } from "../../wire/bytes.ts";
import { generateFromList, type PasswordAnswer, type PasswordRequest } from "../password.ts";

// Each member of the union without its passwords, instead of only their common fields.
type PasswordFacts<Answer> = Answer extends unknown ? Omit<Answer, "passwords"> : never;

/** Passwords that are written as JSON and as lines in UTF-8, to be passed on, with the facts about them. */
type WrittenPasswords = { about: PasswordFacts<PasswordAnswer>; json: Bytes; lines: Bytes };

/** generateFromList for a worker. @throws ToolFailure as generateFromList */
export async function passwordsToJson(request: PasswordRequest): Promise<WrittenPasswords> {
  const { passwords, ...about } = await generateFromList(request);
  const lines = passwords.map((password) => `${password}\n`).join("");
  return { about, json: utf8(JSON.stringify(passwords)), lines: utf8(lines) };
}
