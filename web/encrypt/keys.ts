import type { Signal } from "@preact/signals";
import { AGE_HEAD_BYTES, isAge, isArmored, opensWith } from "../../tools/age/age-file.ts";
import { useDraft } from "../app/paths/history.ts";
import { isEncrypted, isLocked } from "../files/file-kind.ts";
import type { UnfitFile } from "../files/incoming.ts";
import { bytesOf } from "../work/read-chunks.ts";
import { runHere, type Control } from "../work/run.ts";

/** What locks a file: a password for our own container, or a kind of key for an age file. */
type LockKind = "password" | "recipients" | "passphrase";

/** What opens a file: a password or a key file, only a passphrase for some age files, or secret keys. */
type Opener = "password" | "passphrase" | "identities";

export type EncryptChoices = ReturnType<typeof useEncryptChoices>;

/** All choices on the page. */
export function useEncryptChoices() {
  return {
    direction: useDraft<"lock" | "unlock">("direction", "lock"),
    kind: useDraft<LockKind>("kind", "password"),
    password: useDraft("password", ""),
    keyFile: useDraft<File | undefined>("keyFile", undefined),
    recipients: useDraft("recipients", ""),
    identities: useDraft("identities", ""),
    armor: useDraft("armor", false),
    /** Secret keys that were made on the page and are not saved yet: nothing is locked that nobody could open. */
    unsavedKeys: useDraft<File | undefined>("unsavedKeys", undefined),
    /** What opens the chosen file. */
    opens: useDraft<Opener>("opens", "password"),
  };
}

/** The API parameters for the choices, without those of the other direction or kind. */
export interface EncryptOptions {
  readonly direction: "lock" | "unlock";
  readonly password?: string;
  readonly format?: "age";
  readonly recipients?: string;
  readonly armor?: true;
  readonly identities?: string;
}

export function readOptions(choices: EncryptChoices): EncryptOptions {
  const { direction, kind, password, recipients, identities, armor, opens } = choices;
  if (direction.value === "unlock") {
    if (opens.value === "identities") return { direction: "unlock", identities: identities.value };
    return { direction: "unlock", ...passwordOf(password) };
  }
  const asText = armor.value ? ({ armor: true } as const) : {};
  if (kind.value === "recipients")
    return { direction: "lock", format: "age", recipients: recipients.value, ...asText };
  if (kind.value === "passphrase")
    return { direction: "lock", format: "age", ...passwordOf(password), ...asText };
  return { direction: "lock", ...passwordOf(password) };
}

function passwordOf({ value }: Signal<string>) {
  return value === "" ? {} : { password: value };
}

/** Whether everything needed to lock or open the file is there. */
export function isComplete(choices: EncryptChoices): boolean {
  if (choices.unsavedKeys.value && readOptions(choices).recipients !== undefined) return false;
  const { password, recipients, identities } = readOptions(choices);
  if (password ?? recipients?.trim() ?? identities?.trim()) return true;
  return takesKeyFile(choices) && choices.keyFile.value !== undefined;
}

/** An age file takes no key file in addition to its passphrase. */
export function takesKeyFile({ direction, kind, opens }: EncryptChoices): boolean {
  return direction.value === "lock" ? kind.value === "password" : opens.value === "password";
}

/** The options with the password that a key file stands for. */
export async function withKeyFile(
  choices: EncryptChoices,
  options: EncryptOptions,
  control: Control,
): Promise<EncryptOptions> {
  const { keyFile, password } = choices;
  if (!keyFile.value || !takesKeyFile(choices)) return options;
  const args = [keyFile.value, password.value] as [File, string];
  return { ...options, password: await runHere("keyFilePassword", args, control) };
}

/** What opens a file, according to its first bytes. */
export async function lookInto(file: File): Promise<{ isLocked: boolean; opens: Opener }> {
  const head = await headOf(file);
  const isOfAge = isAge(head) || isArmored(head);
  const opens = opensWith(head);
  return {
    isLocked: isLocked(file.name, head),
    opens: isOfAge && opens === "password" ? "passphrase" : opens,
  };
}

/** Those of the files that cannot be decrypted, whatever their names say. */
export async function findUnencrypted(files: readonly File[]): Promise<UnfitFile[]> {
  const failure = { code: "not_a_container", fields: {} };
  const judged = files.map(async (file) => (isEncrypted(await headOf(file)) ? [] : [{ file, failure }]));
  return (await Promise.all(judged)).flat();
}

function headOf(file: File): Promise<Uint8Array> {
  return bytesOf(file.slice(0, AGE_HEAD_BYTES));
}
