import type { ComponentChildren } from "preact";
import { fill, words } from "../app/language/words.ts";
import { useLatest } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import type { IncomingFiles, UnfitFile } from "./incoming.ts";
import { formatFailure } from "../api/format-failure.ts";
import { formatNames, formatNumber } from "../app/language/format.ts";
import { MAX_FOLDER_FILES } from "./arriving.ts";

/** Says what was left out, and why, and offers the tools that take it. */
export function Refused({ incoming: { kind, refused } }: { incoming: IncomingFiles }) {
  const t = words().files;
  const { surplus, folders } = refused.value;
  const others = refused.value.others.filter(({ size }) => size > 0);
  const empty = refused.value.others.filter(({ size }) => size === 0);
  const namesOf = (files: readonly File[]) => files.map(({ name }) => name);
  return (
    <>
      {kind && others.length > 0 && (
        <Note kind="bad">
          <p>{fill(t.refused[kind], { names: formatNames(namesOf(others)) })}</p>
          <Instead files={others} />
        </Note>
      )}
      <Unfit unfit={empty.map((file) => ({ file, failure: EMPTY }))} />
      {surplus.length > 0 && (
        <Note kind="bad">
          <p>{fill(t.onlyOne, { names: formatNames(namesOf(surplus)) })}</p>
          <Instead files={surplus} />
        </Note>
      )}
      {folders.length > 0 && <Note kind="bad">{formatFolders(folders)}</Note>}
    </>
  );
}

/** Says from which folders nothing was taken. */
export function formatFolders(names: readonly string[]): string {
  const most = formatNumber(MAX_FOLDER_FILES);
  return fill(words().files.folders, { names: formatNames(names), most });
}

const EMPTY = { code: "missing_body", fields: {} };

/** The tools that take files which this page does not take, loaded when there is such a file. */
function Instead({ files }: { files: readonly File[] }) {
  // Without them the page still says why it does not take the file.
  const choice = useLatest(() => import("./tool-choice.tsx"), []);
  return choice ? <choice.InsteadButtons files={files} /> : null;
}

/** Names the files that cannot be used, each with the reason. */
export function Unfit({
  unfit,
  instead,
}: {
  unfit: readonly UnfitFile[];
  /** What can be done with them instead. */
  instead?: ((unfit: readonly UnfitFile[]) => ComponentChildren) | undefined;
}) {
  if (unfit.length === 0) return null;
  return (
    <Note kind="bad">
      {unfit.map(({ file, failure }, i) => (
        <p key={i}>
          <strong>{file.name}</strong>: {formatFailure(failure)}
        </p>
      ))}
      {instead?.(unfit)}
    </Note>
  );
}
