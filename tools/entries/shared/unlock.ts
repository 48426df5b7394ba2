// Exported by the entries for locked files and for age.
export { unlockFile, type UnlockedFile, type UnlockFileOptions } from "../../crypto/unlock-file.ts";
