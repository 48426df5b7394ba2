import { useSignal } from "@preact/signals";
import { generatePasswords } from "../../tools/password.ts";
import { Choices, SecretField } from "../parts/field.tsx";
import { FileTool, useFileJob } from "../parts/file-tool.tsx";
import { makeFile, type MadeFile } from "../parts/file-result.tsx";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";
import { bytesOf, server } from "../server.ts";
import { typeOfName } from "../names.ts";
import { toolLine } from "../shell-line.ts";
import { PageHead } from "../shell.tsx";
import { canEncrypt } from "../share.ts";
import { runHere, type Control } from "../work/run.ts";

const DIRECTIONS = { lock: "Lock", unlock: "Open a locked file" } as const;

/** Locks a file under a password, or opens a locked one. */
export function FileEncryptPage() {
  const file = useSignal<File | undefined>(undefined);
  const direction = useSignal<keyof typeof DIRECTIONS>("lock");
  const password = useSignal("");
  const job = useFileJob();
  const isLock = direction.value === "lock";
  async function here(chosen: File, control: Control): Promise<MadeFile> {
    const task = isLock ? "file-lock" : "file-unlock";
    const { bytes, filename } = await runHere(task, {
      args: [chosen, { password: password.value }],
      control,
    });
    return present(bytes, filename);
  }
  async function onServer(chosen: File, { signal }: Control): Promise<MadeFile> {
    const file = await bytesOf(chosen);
    const filename = isLock ? { filename: chosen.name } : {};
    const input = { file, direction: direction.value, password: password.value, ...filename };
    const made = await server.tools.fileEncrypt.mutate(input, { signal });
    return present(made.data, made.name);
  }
  return (
    <section class="page">
      <PageHead title="Lock a file">
        Any file, encrypted under a password with AES-256. Without the password nobody opens it, and we cannot
        either.
      </PageHead>
      {!canEncrypt() && (
        <Note kind="warn" title="This browser cannot encrypt here">
          This page came over plain http, where browsers switch encryption off. Open it over https or on
          localhost.
        </Note>
      )}
      <FileTool
        what="a file"
        file={file}
        job={job}
        action={isLock ? "Lock" : "Open"}
        doing={isLock ? "Locking" : "Opening"}
        isReady={password.value !== "" && canEncrypt()}
        here={here}
        onServer={onServer}
        curl={({ name }) =>
          toolLine({
            tool: "file-encrypt",
            fileName: name,
            query: { direction: direction.value, filename: isLock ? name : undefined },
            hasPassword: true,
            output: isLock ? `${name}.locked` : "unlocked.bin",
          })
        }
      >
        <Choices label="What to do" value={direction} choices={DIRECTIONS} />
        <SecretField
          label="Password"
          value={password}
          hint={isLock ? "Keep it: there is no way back without it." : undefined}
          extra={isLock && <Suggest onWords={(words) => (password.value = words)} />}
        />
      </FileTool>
    </section>
  );
}

function present(bytes: Uint8Array<ArrayBuffer>, name: string): MadeFile {
  return { file: makeFile(bytes, { name, type: typeOfName(name) }), facts: {}, warnings: [] };
}

function Suggest({ onWords }: { onWords: (words: string) => void }) {
  const suggest = () => onWords(generatePasswords({ mode: "words", words: 6 }).passwords[0] ?? "");
  return (
    <button type="button" class="icon-only" aria-label="Suggest a password" title="Suggest" onClick={suggest}>
      <Icon name="dice" />
    </button>
  );
}
