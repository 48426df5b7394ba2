import { fill, words } from "../app/language/words.ts";
import { Note } from "../parts/note.tsx";
import { formatNames } from "./format-names.ts";
import type { IncomingFiles } from "./incoming.ts";
import { Instead } from "./instead.tsx";

/** Says what was left out, and why, and offers the tools that take it. */
export function Refused({ incoming: { kind, refused } }: { incoming: IncomingFiles }) {
  const t = words().files;
  const { others, surplus, folders } = refused.value;
  const namesOf = (files: readonly File[]) => files.map(({ name }) => name);
  return (
    <>
      {kind && others.length > 0 && (
        <Note kind="bad">
          <p>{fill(t.refused[kind], { names: formatNames(namesOf(others)) })}</p>
          <Instead files={others} />
        </Note>
      )}
      {surplus.length > 0 && (
        <Note kind="bad">
          <p>{fill(t.onlyOne, { names: formatNames(namesOf(surplus)) })}</p>
          <Instead files={surplus} />
        </Note>
      )}
      {folders.length > 0 && <Note kind="bad">{fill(t.folders, { names: formatNames(folders) })}</Note>}
    </>
  );
}
