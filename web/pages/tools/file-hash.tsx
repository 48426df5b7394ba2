import "../../style/tools.css";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FileHash, HashAlgorithm } from "../../../tools/file-hash.ts";
import { CopyButton, CurlCommand } from "../../parts/copy.tsx";
import { ChosenFile, Drop } from "../../files/drop.tsx";
import { Refused } from "../../files/refused.tsx";
import { useIncoming } from "../../files/incoming.ts";
import { useRows } from "../../files/rows.tsx";
import { TextField } from "../../parts/field.tsx";
import { JobView, useJob } from "../../parts/job.tsx";
import { Note, Status } from "../../parts/note.tsx";
import { PlaceChoice, type ToolMachine } from "../../files/action-bar.tsx";
import { callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { fill, words } from "../../app/language/words.ts";
import { PageHead } from "../../app/shell.tsx";
import { takeList } from "../../hash/check-files.ts";
import { SeveralFiles } from "../../hash/several-files.tsx";
import { bytesOf } from "../../work/read-chunks.ts";
import { runHere, type Control } from "../../work/run.ts";

/** In the order in which they are shown: the usual one first, broken ones last. */
const NAMES = {
  sha224: "SHA-224",
  sha256: "SHA-256",
  sha512: "SHA-512",
  sha384: "SHA-384",
  "sha3-256": "SHA3-256",
  "sha3-384": "SHA3-384",
  "sha3-512": "SHA3-512",
  blake2b: "BLAKE2b",
  blake3: "BLAKE3",
  sha1: "SHA-1",
  md5: "MD5",
} as const satisfies Record<HashAlgorithm, string>;
const TYPING_MS = 300;
/** Always computed; others where they are expected. */
const USUAL: readonly HashAlgorithm[] = ["sha256", "sha512", "sha384", "blake3", "sha1", "md5"];
// The keys of a record with a name for each.
const ALL = Object.keys(NAMES) as HashAlgorithm[];

/** Digests of a file, compared with an expected one; of several files, compared with a list. */
export function Page() {
  const files = useSignal<readonly File[]>([]);
  const list = useSignal("");
  const incoming = useIncoming({ isMultiple: true, onFiles: (chosen) => void add(chosen) });
  async function add(chosen: readonly File[]): Promise<void> {
    const { list: found, others } = await takeList(chosen);
    if (found !== undefined) list.value = found;
    files.value = [...files.value, ...others];
  }
  const [first] = files.value;
  const isOne = files.value.length === 1 && list.value === "";
  const { rows, more } = useRows(files.value);
  const chosen = (
    <>
      {first && (
        <div class="list">
          {rows.map((file, i) => (
            <ChosenFile
              key={i}
              file={file}
              {...(files.value.length > 1 && { remove: fill(words().order.remove, { name: file.name }) })}
              onRemove={() => (files.value = files.value.toSpliced(i, 1))}
            />
          ))}
          {more}
        </div>
      )}
      <Drop what={words().files.several} incoming={incoming} {...(!first && { example: "file-hash" })} />
      <Refused incoming={incoming} />
    </>
  );
  return (
    <section class="page">
      <PageHead title={words().pages["file-hash"].title}>{words().hash.lead}</PageHead>
      {!first && chosen}
      {isOne && first && <Digests file={first}>{chosen}</Digests>}
      {!isOne && first && (
        <SeveralFiles files={files.value} list={list}>
          {chosen}
        </SeveralFiles>
      )}
    </section>
  );
}

// Fast enough to run again at every change of the expected checksum.
function Digests({ file, children }: { file: File; children: ComponentChildren }) {
  const t = words().hash;
  const job = useJob<FileHash>();
  const expected = useSignal("");
  const place = useSignal<ToolMachine>("here");
  const wanted = expected.value.trim() || undefined;
  const ranWith = useRef(wanted);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const hash = place.value === "here" ? hashHere : hashOnServer;
    const start = () => {
      ranWith.current = wanted;
      void job.start((control) => hash(file, { expected: wanted, control }));
    };
    // The file is not read at every digit that a person types.
    const timer = setTimeout(start, wanted === undefined ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [file, wanted, place.value]);
  const state = job.state.value;
  const seen = useRef<File | undefined>(undefined);
  useEffect(() => {
    // Once for each file: later somebody is typing what they expect, and should see that.
    if (state.is !== "done" || seen.current === file) return;
    seen.current = file;
    result.current?.querySelector(".digests > div")?.scrollIntoView({ block: "nearest" });
  }, [state.is, file]);
  const query = { algorithms: USUAL.join(","), expected: wanted };
  return (
    <div class="tool staged">
      <div class="stage">
        {children}
        <JobView job={job} doing={t.busy} />
        <div ref={result}>
          {state.is === "done" && <DigestList hash={state.result} isOld={ranWith.current !== wanted} />}
        </div>
      </div>
      <div class="setup">
        <TextField label={t.expected} value={expected} isCode hint={t.expectedHint} />
        <PlaceChoice place={place} />
        <CurlCommand line={curlToolCommand({ tool: "file-hash", fileName: file.name, query })} />
      </div>
    </div>
  );
}

interface HashOptions {
  readonly expected: string | undefined;
  readonly control: Control;
}

function hashHere(file: File, { expected, control }: HashOptions): Promise<FileHash> {
  return runHere("hashFile", [file, { algorithms: USUAL, expected, filename: file.name }], control);
}

async function hashOnServer(file: File, { expected, control }: HashOptions): Promise<FileHash> {
  const given = expected === undefined ? {} : { expected };
  const hash = await server.tools.fileHash.mutate(
    { file: await bytesOf(file), algorithms: [...USUAL], ...given },
    callOptions(control),
  );
  // The answer's schema allows any name; the server uses those that were sent.
  return hash as FileHash;
}

function DigestList({
  hash,
  isOld,
}: {
  hash: FileHash;
  /** Whether another checksum is expected by now. */
  isOld: boolean;
}) {
  const { digests, matchedAlgorithm } = hash;
  const matches = isOld ? undefined : hash.matches;
  const t = words().hash;
  return (
    <section class="panel" aria-label={words().common.result}>
      {matches === true && (
        <Note kind="good" title={t.matchTitle}>
          <Status>{fill(t.match, { algorithm: NAMES[matchedAlgorithm ?? "sha256"] })}</Status>
        </Note>
      )}
      {matches === false && (
        <Note kind="bad" title={t.noMatchTitle}>
          {t.noMatch}
        </Note>
      )}
      <dl class="digests">
        {ALL.filter((algorithm) => digests[algorithm]).map((algorithm) => (
          <div key={algorithm} class={matchedAlgorithm === algorithm ? "match" : undefined}>
            <dt>{NAMES[algorithm]}</dt>
            <dd>
              <code translate={false}>{digests[algorithm]}</code>
              <CopyButton kind="small quiet" text={() => digests[algorithm] ?? ""} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
