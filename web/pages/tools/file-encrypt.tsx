import "../../style/tools.css";
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  findUnencrypted,
  isComplete,
  lookInto,
  readOptions,
  takesKeyFile,
  useEncryptChoices,
  withKeyFile,
  type EncryptChoices,
  type EncryptOptions,
} from "../../encrypt/keys.ts";
import { LockFields, UnlockFields } from "../../encrypt/encrypt-fields.tsx";
import { Choices } from "../../parts/field.tsx";
import { useJob } from "../../parts/job.tsx";
import { FileTool, type Work } from "../../files/file-tool.tsx";
import { makeFile, type MadeFile, PasswordReminder } from "../../files/file-result.tsx";
import { chooseTarget } from "../../work/save-target.ts";
import { Note } from "../../parts/note.tsx";
import { useUnsaved } from "../../app/unsaved.tsx";
import { useDraft } from "../../app/paths/history.ts";
import { callOptions, server } from "../../api/server.ts";
import { typeOfName } from "../../../tools/file/file-name.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { words } from "../../app/language/words.ts";
import { PageHead } from "../../app/shell.tsx";
import { canEncrypt } from "../../app/browser.ts";
import { bytesOf } from "../../work/read-chunks.ts";
import { runHere } from "../../work/run.ts";

/** Locks a file with a password or for somebody, or opens a locked one. */
export function Page() {
  const t = words().encrypt;
  const file = useDraft<File | undefined>("file", undefined);
  const more = useDraft<readonly File[]>("more", []);
  const choices = useEncryptChoices();
  const { direction, password, opens } = choices;
  const job = useJob<MadeFile>();
  const isLock = direction.value === "lock";
  useEffect(() => void (file.value && choose(file.value)), [file.value, more.value]);
  async function choose(chosen: File): Promise<void> {
    const { isLocked, opens: opener } = await lookInto(chosen);
    if (chosen !== file.value) return;
    direction.value = isLocked && more.value.length === 0 ? "unlock" : "lock";
    opens.value = opener;
  }
  const options = readOptions(choices);
  useUnsaved("result", choices.unsavedKeys.value !== undefined);
  return (
    <section class="page">
      <PageHead title={words().pages["file-encrypt"].title}>{t.lead}</PageHead>
      {!canEncrypt() && (
        <Note kind="warn" title={words().share.insecureTitle}>
          {words().common.insecure}
        </Note>
      )}
      <FileTool
        what={words().files.several}
        example="file-encrypt"
        file={file}
        more={more}
        findMisfits={async (files) => (isLock ? [] : findUnencrypted(files))}
        job={job}
        action={isLock ? t.lock : t.unlock}
        doing={isLock ? t.locking : t.unlocking}
        isReady={isComplete(choices) && canEncrypt()}
        options={{ ...options, keyFile: takesKeyFile(choices) ? choices.keyFile.value?.name : undefined }}
        here={ofAll(more, encryptHere(choices, options))}
        onServer={ofAll(more, encryptOnServer(choices, options))}
        reminder={isLock && options.password && <PasswordReminder password={password.value} />}
        curl={({ name }) => encryptLine(name, options)}
        fields={
          <>
            {more.value.length === 0 && (
              <Choices label={t.direction} value={direction} choices={t.directions} />
            )}
            {isLock ? <LockFields choices={choices} /> : <UnlockFields choices={choices} />}
          </>
        }
      />
    </section>
  );
}

/** Several files are locked as one ZIP. */
function ofAll(more: Signal<readonly File[]>, work: Work): Work {
  return async (file, control) => {
    const files = [file, ...more.value];
    if (files.length === 1) return work(file, control);
    const zip = await runHere("zipFiles", [files], control);
    return work(makeFile(zip, { name: "files.zip", type: "application/zip" }), control);
  };
}

function encryptHere(choices: EncryptChoices, options: EncryptOptions): Work {
  return async (file, control) => {
    // First of all: a browser opens the dialog only shortly after a click.
    const target = await chooseTarget({ name: targetName(file.name, options), sizeBytes: file.size });
    const { direction, ...keys } = await withKeyFile(choices, options, control);
    const job = direction === "lock" ? "lockFile" : "unlockFile";
    const made = await runHere(job, [file, { ...keys, target }], control);
    if ("bytes" in made) return present(made.bytes, made.filename);
    return { file: made.file, facts: {}, warnings: [], isSaved: true };
  };
}

/** The probable name of the result; the name inside a locked file is unknown before it is opened. */
function targetName(name: string, { direction, format }: EncryptOptions): string {
  if (direction === "lock") return `${name}.${format ?? "locked"}`;
  return name.replace(/\.(?:locked|age)$/i, "");
}

function encryptOnServer(choices: EncryptChoices, options: EncryptOptions): Work {
  return async (file, control) => {
    const keys = await withKeyFile(choices, options, control);
    const input = { file: await bytesOf(file), ...keys, filename: file.name };
    const made = await server.tools.fileEncrypt.mutate(input, callOptions(control));
    return present(made.data, made.name);
  };
}

function encryptLine(fileName: string, options: EncryptOptions): string {
  const { direction, format, recipients, armor, identities } = options;
  const query = {
    direction,
    filename: fileName,
    format,
    recipients: recipients?.trim(),
    armor: armor && "true",
  };
  const output = targetName(fileName, options);
  const headers = identities === undefined ? {} : { "Tool-Identities": "$IDENTITY" };
  const hasPassword = recipients === undefined && identities === undefined;
  return curlToolCommand({ tool: "file-encrypt", fileName, query, hasPassword, headers, output });
}

function present(bytes: Uint8Array<ArrayBuffer>, name: string): MadeFile {
  return { file: makeFile(bytes, { name, type: typeOfName(name) }), facts: {}, warnings: [] };
}
