// Files locked with a password: @hushkit/tools/lock.
export * from "./shared/failure.ts";
export * from "./shared/unlock.ts";
export { lockedFileName, lockFile, type LockOptions } from "../file-encrypt.ts";
