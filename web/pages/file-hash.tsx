import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type FileHash, type HashAlgorithm } from "../../tools/file-hash.ts";
import { CopyButton, CurlCommand } from "../parts/copy.tsx";
import { ChosenFile, Drop } from "../files/drop.tsx";
import { TextField } from "../parts/field.tsx";
import { JobView, useJob } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { PlaceChoice, type Place } from "../files/place.tsx";
import { bytesOf, server } from "../api/server.ts";
import { curlToolCommand } from "../app/curl.ts";
import { PageHead } from "../app/shell.tsx";
import { runHere, type Control } from "../work/run.ts";

const NAMES = {
  sha256: "SHA-256",
  sha1: "SHA-1",
  md5: "MD5",
  sha384: "SHA-384",
  sha512: "SHA-512",
  blake3: "BLAKE3",
} as const satisfies Record<HashAlgorithm, string>;
const TYPING_MS = 300;
const ALL: HashAlgorithm[] = ["md5", "sha1", "sha256"];

/** Digests of a file, compared with an expected one. */
export function Page() {
  const file = useSignal<File | undefined>(undefined);
  return (
    <section class="page">
      <PageHead title="Checksum of a file">
        See whether a download is whole and the one you were promised. The file stays on your machine.
      </PageHead>
      {file.value ? (
        <>
          <ChosenFile file={file.value} onRemove={() => (file.value = undefined)} />
          <Digests file={file.value} />
        </>
      ) : (
        <Drop what="a file" onFiles={(files) => (file.value = files[0])} />
      )}
    </section>
  );
}

// Fast enough to run again at every change of the expected checksum.
function Digests({ file }: { file: File }) {
  const job = useJob<FileHash>();
  const expected = useSignal("");
  const place = useSignal<Place>("here");
  const wanted = expected.value.trim() || undefined;
  useEffect(() => {
    const hash = place.value === "here" ? hashHere : hashOnServer;
    const start = () => void job.start((control) => hash(file, { expected: wanted, control }));
    // While a person types a checksum, the file is not read at every digit.
    const timer = setTimeout(start, wanted === undefined ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [file, wanted, place.value]);
  const state = job.state.value;
  const query = { algorithms: "md5,sha1,sha256", expected: wanted };
  return (
    <>
      <TextField
        label="The checksum you expect (optional)"
        value={expected}
        isCode
        hint="SHA-256, SHA-1 or MD5, as digits or as a whole line of sha256sum."
      />
      <PlaceChoice place={place} />
      <JobView job={job} doing="Reading the file" />
      {state.is === "done" && <DigestList hash={state.result} />}
      <CurlCommand line={curlToolCommand({ tool: "file-hash", fileName: file.name, query })} />
    </>
  );
}

interface HashOptions {
  readonly expected: string | undefined;
  readonly control: Control;
}

function hashHere(file: File, { expected, control }: HashOptions): Promise<FileHash> {
  return runHere("hashFile", { args: [file, { algorithms: ALL, expected }], control });
}

async function hashOnServer(file: File, { expected, control: { signal } }: HashOptions): Promise<FileHash> {
  const given = expected === undefined ? {} : { expected };
  const hash = await server.tools.fileHash.mutate(
    { file: await bytesOf(file), algorithms: ALL, ...given },
    { signal },
  );
  // The schema of the answer allows any name; the server uses the three that were sent.
  return hash as FileHash;
}

function DigestList({ hash: { digests, matches, matchedAlgorithm } }: { hash: FileHash }) {
  return (
    <section class="panel" aria-label="Result">
      {matches === true && (
        <Note kind="good" title="It matches">
          <p role="status">The {NAMES[matchedAlgorithm ?? "sha256"]} is the one you expect.</p>
        </Note>
      )}
      {matches === false && (
        <Note kind="bad" title="It does not match">
          This is another file than the checksum was made from, or it was damaged on the way.
        </Note>
      )}
      <dl class="digests">
        {(["sha256", "sha1", "md5"] as const).map((algorithm) => (
          <Digest
            key={algorithm}
            name={NAMES[algorithm]}
            digest={digests[algorithm] ?? ""}
            isMatch={matchedAlgorithm === algorithm}
          />
        ))}
      </dl>
    </section>
  );
}

function Digest({ name, digest, isMatch }: { name: string; digest: string; isMatch: boolean }) {
  return (
    <div class={isMatch ? "match" : undefined}>
      <dt>{name}</dt>
      <dd>
        <code>{digest}</code>
        <CopyButton kind="small quiet" text={() => digest} />
      </dd>
    </div>
  );
}
