import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import { formatBytes } from "../../app/language/format.ts";
import { PageHead } from "../../app/shell.tsx";
import { useUnsaved } from "../../app/unsaved.tsx";
import { fill, linkWords } from "../../app/language/words.ts";
import { FileRow, SaveLink } from "../../files/file-row.tsx";
import { saveFile } from "../../files/object-url.ts";
import { Icon } from "../../parts/icon.tsx";
import { TextField } from "../../parts/field.tsx";
import { JobView, useJob } from "../../parts/job.tsx";
import { Note } from "../../parts/note.tsx";
import type { Delivery, OpenedFiles, BundleContent } from "./delivery.ts";
import { ContentView } from "./content-view.tsx";
import { Receipt } from "./receipt.tsx";
import { parseLink } from "../../../wire/links/links.ts";

/** A file secret while it arrives, and afterwards. Continues after an interruption, and after a stop when asked. */
export function ReceivedFile({ delivery, confirm }: { delivery: Delivery; confirm: () => Promise<void> }) {
  const job = useJob<OpenedFiles>();
  const isCut = useSignal(false);
  const state = job.state.value;
  const t = linkWords().delivery;
  const start = (inner?: string) =>
    job.start(async (control) => {
      await delivery.receive({ ...control, onCut: (is) => (isCut.value = is) });
      const opened = await delivery.open(inner);
      if (opened.unpacked) return opened;
      saveFile(opened.file);
      // If the server cannot be told, it deletes the file after ten minutes.
      await confirm().catch(() => undefined);
      return opened;
    });
  useEffect(() => void start(), []);
  useUnsaved("file", state.is !== "done");
  if (state.is === "done") {
    const { file, unpacked } = state.result;
    if (!unpacked) return <Received file={file} />;
    return <ReceivedSeveral bundle={file} unpacked={unpacked} confirm={confirm} />;
  }
  return (
    <>
      <PageHead title={t.title}>{fill(t.lead, { size: formatBytes(delivery.size) })}</PageHead>
      {state.is === "running" && isCut.value && <Note kind="warn">{t.cut}</Note>}
      {state.is === "failed" && isSealed(state.failure) ? (
        <WholeLink onLink={(inner) => void start(inner)} />
      ) : (
        <JobView job={job} doing={t.busy} />
      )}
      {(state.is === "idle" || state.is === "failed") && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => void start()}>
            {t.goOn}
          </button>
        </div>
      )}
    </>
  );
}

function isSealed({ code }: Failure): boolean {
  return code === "password_wrong";
}

function Received({ file }: { file: File }) {
  const t = linkWords().delivery;
  return (
    <>
      <PageHead title={t.doneTitle}>{t.doneLead}</PageHead>
      <section class="panel result" aria-label={linkWords().common.result}>
        <FileRow file={file} />
      </section>
    </>
  );
}

/** Several things in one: the message at once, and files to save one by one or together. */
function ReceivedSeveral(props: { bundle: File; unpacked: BundleContent; confirm: () => Promise<void> }) {
  const {
    bundle,
    unpacked: { message, files },
    confirm,
  } = props;
  const saved = useSignal<ReadonlySet<File>>(new Set());
  const save = (...some: readonly File[]) => (saved.value = new Set([...saved.value, ...some]));
  useUnsaved(
    "several",
    files.some((file) => !saved.value.has(file)),
  );
  const { delivery: t, opened, common } = linkWords();
  return (
    <>
      <PageHead title={opened.title}>{t.severalLead}</PageHead>
      {message !== undefined && <ContentView text={message} label={opened.label} />}
      <section class="panel" aria-label={common.result}>
        <ul class="received">
          {files.map((file) => (
            <li key={file}>
              <SavedRow file={file} onSave={() => save(file)} />
            </li>
          ))}
        </ul>
        {files.length > 1 && (
          <div class="actions">
            <SaveLink file={bundle} label={t.saveAll} onSave={() => save(...files)} />
          </div>
        )}
      </section>
      <Receipt confirm={confirm} />
    </>
  );
}

function SavedRow({ file, onSave }: { file: File; onSave: () => void }) {
  return (
    <div class="made">
      <Icon name="file" size={24} />
      <p>
        <strong>{file.name}</strong> <span class="hint">{formatBytes(file.size)}</span>
      </p>
      <SaveLink
        file={file}
        name={fill(linkWords().delivery.saveNamed, { name: file.name })}
        onSave={onSave}
      />
    </div>
  );
}

// All bytes are here; only the part of the link that decrypts them is missing.
function WholeLink({ onLink }: { onLink: (inner: string) => void }) {
  const t = linkWords().opened;
  const link = useSignal("");
  const isFailed = useSignal(false);
  const submit = () => {
    const read = parseLink(link.value);
    const inner = read.is === "complete" ? read.link.inner : undefined;
    isFailed.value = inner === undefined;
    if (inner !== undefined) onLink(inner);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <Note kind="bad" title={t.sealedTitle}>
        {linkWords().delivery.sealed}
      </Note>
      <TextField label={t.wholeLink} value={link} isCode />
      {isFailed.value && <Note kind="bad">{t.stillSealed}</Note>}
      <div class="actions">
        <button class="primary">{t.decrypt}</button>
      </div>
    </form>
  );
}
