// Passwords and passphrases: @hushkit/tools/password.
export * from "./shared/failure.ts";
export {
  generateFromList,
  generatePasswords,
  loadWordList,
  type PasswordAnswer,
  type PasswordOptions,
  type PasswordRequest,
  type WordList,
  type WordListName,
} from "../password.ts";
