import type { ComponentChildren } from "preact";
import { formatFailure } from "../api/format-failure.ts";
import { Note } from "../parts/note.tsx";
import type { IncomingFiles, UnfitFile } from "./incoming.ts";

/** Names the files that were left out because nothing can be made of them, each with why. */
export function Unfit({
  incoming: { refused },
  instead,
}: {
  incoming: IncomingFiles;
  /** What can be done with them after all. */
  instead?: ((unfit: readonly UnfitFile[]) => ComponentChildren) | undefined;
}) {
  const { unfit } = refused.value;
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
