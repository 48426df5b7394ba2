// Files for people with age keys: @hushkit/tools/age.
export * from "./shared/failure.ts";
export { ageFileName } from "../age/age-file.ts";
export { makeAgeKeys } from "../age/keys.ts";
export { lockAgeFile, type LockAgeOptions } from "../age/lock-age.ts";
export * from "./shared/unlock.ts";
