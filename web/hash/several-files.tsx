import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { escapeName } from "../../wire/escaped-name.ts";
import { formatNumber } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { useRows } from "../files/rows.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { JobView, useJob } from "../parts/job.tsx";
import { Status } from "../parts/note.tsx";
import { TextArea } from "../parts/text-area.tsx";
import { checkFiles, type CheckedFile } from "./check-files.ts";

const TYPING_MS = 300;
/** Those that need a look come first. */
const KINDS = { differs: "bad", missing: "warn", unlisted: "warn", matches: "good", digest: "" } as const;
const ORDER = Object.keys(KINDS);

/** Several files compared with a checksum list, or with a digest each. */
export function SeveralFiles({
  files,
  list,
  children,
}: {
  files: readonly File[];
  list: Signal<string>;
  /** The chosen files. */
  children: ComponentChildren;
}) {
  const t = words().hash;
  const job = useJob<readonly CheckedFile[]>();
  const text = useSignal(list.value);
  useEffect(() => void (text.value = list.value), [list.value]);
  useEffect(() => {
    const start = () => job.start((control) => checkFiles(files, text.value.trim(), control));
    const timer = setTimeout(() => void start(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [files, text.value]);
  const state = job.state.value;
  return (
    <div class="tool staged">
      <div class="stage">
        <Status kind="unseen">{state.is === "done" && formatCounts(state.result)}</Status>
        {state.is === "done" && <Checked files={state.result} />}
        {children}
        <JobView job={job} doing={t.busy} />
      </div>
      <div class="setup">
        <TextArea label={t.list} hint={t.listHint} value={text} rows={4} isCode />
      </div>
    </div>
  );
}

/** How many files have each verdict: what is announced, as a list of digests takes minutes to be read out. */
function formatCounts(files: readonly CheckedFile[]): string {
  const { hash, frame } = words();
  const counts = Map.groupBy(files, ({ verdict }) => verdict);
  return [...counts]
    .map(([verdict, { length }]) =>
      fill(frame.labeled, { label: hash.verdicts[verdict], value: formatNumber(length) }),
    )
    .join(", ");
}

function Checked({ files }: { files: readonly CheckedFile[] }) {
  const t = words().hash;
  const { rows, more } = useRows(
    files.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict)),
  );
  const lines = files.flatMap(({ name, digest }) => (digest ? [formatLine(digest, name)] : []));
  return (
    <section class="panel" aria-label={words().common.result}>
      <ul class="checked">
        {rows.map(({ name, verdict, digest }, i) => (
          <li key={i}>
            <span class={`tag ${KINDS[verdict]}`}>{t.verdicts[verdict]}</span> <bdi>{name}</bdi>{" "}
            {digest && <code translate={false}>{digest}</code>}
          </li>
        ))}
        {more && <li>{more}</li>}
      </ul>
      {lines.length > 0 && (
        <CopyButton kind="small" label={t.copyList} text={() => `${lines.join("\n")}\n`} />
      )}
    </section>
  );
}

/** A line in sha256sum's format, which marks a name with a line break by a backslash. */
function formatLine(digest: string, name: string): string {
  const escaped = escapeName(name);
  return `${escaped === name ? "" : "\\"}${digest}  ${escaped}`;
}
