// Files for people with age keys: @hushkit/tools/age.
export { ToolFailure } from "../../wire/tool-failure.ts";
export { ageFileName } from "../age/age-file.ts";
export { makeAgeKeys } from "../age/keys.ts";
export { lockAgeFile, type LockAgeOptions } from "../age/lock-age.ts";
export { unlockFile, type UnlockedFile, type UnlockFileOptions } from "../crypto/unlock-file.ts";
