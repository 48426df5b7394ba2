import "../style/dialogs.css";
import { useEffect, useRef } from "preact/hooks";
import { formatCount, words } from "../app/language/words.ts";
import { CancelButton } from "../parts/buttons.tsx";
import { Note } from "../parts/note.tsx";
import type { Arrival } from "./arriving.ts";
import { formatFolders } from "./refused.tsx";
import { leaveWithFiles, ToolChoice } from "./tool-choice.tsx";

/** Asks what to do with files, and does it. */
export function StrayDialog({ about: { files, folders }, onClose }: { about: Arrival; onClose: () => void }) {
  const { received, common } = words();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="choice" aria-labelledby="choice-title" onClose={onClose}>
      {files.length > 0 && (
        <h2 id="choice-title" tabIndex={-1} autofocus>
          {formatCount(files.length, common.files)}
        </h2>
      )}
      {files.length > 0 && <p>{received.lead}</p>}
      {folders.length > 0 && (
        <Note kind="bad">
          <p id={files.length > 0 ? undefined : "choice-title"}>{formatFolders(folders)}</p>
        </Note>
      )}
      {files.length > 0 && (
        <ToolChoice
          files={files}
          onOpen={async (page, chosen) => {
            if (await leaveWithFiles(page, chosen)) dialog.current?.close();
          }}
        />
      )}
      <div class="actions">
        <CancelButton onClick={() => dialog.current?.close()} />
      </div>
    </dialog>
  );
}
