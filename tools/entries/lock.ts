// Files locked with a password: @hushkit/tools/lock.
export { ToolFailure } from "../../wire/tool-failure.ts";
export { unlockFile, type UnlockedFile, type UnlockFileOptions } from "../crypto/unlock-file.ts";
export { lockedFileName, lockFile, type LockOptions } from "../file-encrypt.ts";
