import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Choices, SecretField } from "../../parts/field.tsx";
import { FileTool, useFileJob, type Work } from "../../files/file-tool.tsx";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { PasswordReminder, passwordSuggestion } from "../../files/new-password.tsx";
import { Note } from "../../parts/note.tsx";
import { bytesOf, callOptions, server } from "../../api/server.ts";
import { typeOfName } from "../../files/file-names.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { words } from "../../app/language/words.ts";
import { PageHead } from "../../app/shell.tsx";
import { canEncrypt } from "../../app/can-encrypt.ts";
import { runHere } from "../../work/run.ts";

/** Locks a file under a password, or opens a locked one. */
export function Page() {
  const t = words().encrypt;
  const file = useSignal<File | undefined>(undefined);
  const more = useSignal<readonly File[]>([]);
  const direction = useSignal<Direction>("lock");
  const password = useSignal("");
  const job = useFileJob();
  const isLock = direction.value === "lock";
  useEffect(() => {
    const isOne = more.value.length === 0;
    if (file.value) direction.value = isOne && file.value.name.endsWith(".locked") ? "unlock" : "lock";
  }, [file.value, more.value]);
  const options = () => ({ direction: direction.value, password: password.value });
  return (
    <section class="page">
      <PageHead title={words().pages["file-encrypt"].title}>{t.lead}</PageHead>
      {!canEncrypt() && <NoEncryption />}
      <FileTool
        what={words().files.several}
        file={file}
        more={more}
        job={job}
        action={isLock ? t.lock : t.unlock}
        doing={isLock ? t.locking : t.unlocking}
        isReady={password.value !== "" && canEncrypt()}
        options={options()}
        here={ofAll(more, encryptHere(options()))}
        onServer={ofAll(more, encryptOnServer(options()))}
        preview={() => isLock && <PasswordReminder password={password.value} />}
        curl={({ name }) => encryptLine(name, direction.value)}
      >
        {more.value.length === 0 && <Choices label={t.direction} value={direction} choices={t.directions} />}
        <SecretField
          label={t.password}
          value={password}
          hint={isLock ? t.passwordHint : undefined}
          suggest={isLock ? passwordSuggestion() : undefined}
        />
      </FileTool>
    </section>
  );
}

type Direction = "lock" | "unlock";

interface Options {
  readonly direction: Direction;
  readonly password: string;
}

/** Several files are locked as one ZIP. */
function ofAll(more: Signal<readonly File[]>, work: Work): Work {
  return async (file, control) => {
    const files = [file, ...more.value];
    if (files.length === 1) return work(file, control);
    const { bytes } = await runHere("zipFiles", { args: [files], control });
    return work(makeFile(bytes, { name: "files.zip", type: "application/zip" }), control);
  };
}

function encryptHere({ direction, password }: Options): Work {
  return async (file, control) => {
    const job = direction === "lock" ? "lockFile" : "unlockFile";
    const { bytes, filename } = await runHere(job, { args: [file, { password }], control });
    return present(bytes, filename);
  };
}

function encryptOnServer(options: Options): Work {
  return async (file, control) => {
    const name = options.direction === "lock" ? { filename: file.name } : {};
    const input = { file: await bytesOf(file), ...options, ...name };
    const made = await server.tools.fileEncrypt.mutate(input, callOptions(control));
    return present(made.data, made.name);
  };
}

function encryptLine(fileName: string, direction: Direction): string {
  const isLock = direction === "lock";
  const query = { direction, filename: isLock ? fileName : undefined };
  const output = isLock ? `${fileName}.locked` : "unlocked.bin";
  return curlToolCommand({ tool: "file-encrypt", fileName, query, hasPassword: true, output });
}

function NoEncryption() {
  return (
    <Note kind="warn" title={words().share.insecureTitle}>
      {words().common.insecure}
    </Note>
  );
}

function present(bytes: Uint8Array<ArrayBuffer>, name: string): MadeFile {
  return { file: makeFile(bytes, { name, type: typeOfName(name) }), facts: {}, warnings: [] };
}
