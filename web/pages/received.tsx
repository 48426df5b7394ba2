import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useDraft } from "../app/draft.ts";
import { TOOLS } from "../app/paths/pages.ts";
import { PageHead } from "../app/shell.tsx";
import { words } from "../app/language/words.ts";
import { openWithFiles, replaceWithFiles, replaceWithText } from "../files/pending-files.ts";
import { ToolChoice } from "../files/tool-choice.tsx";
import { Cards } from "../parts/cards.tsx";
import { Note } from "../parts/note.tsx";
import type { Received } from "../received/handover.ts";
import { onOpenedFiles, takeShared } from "../received/take-shared.ts";

/** Where the system hands over what another program shares, or a file that is opened with the pages. */
export function Page() {
  const files = useDraft<readonly File[]>("received", []);
  const isAsked = useSignal(false);
  useEffect(() => {
    const take = (received: Received) => {
      if (!openAtOnce(received)) files.value = received.files;
    };
    onOpenedFiles(take);
    void takeShared().then((received) => {
      if (received) take(received);
      isAsked.value = true;
    });
  }, []);
  return (
    <section class="page">
      <PageHead title={words().pages.received.title}>
        {files.value.length > 0 && words().received.lead}
      </PageHead>
      {files.value.length > 0 ? (
        <ToolChoice files={files.value} onOpen={({ name }, chosen) => openWithFiles(name, chosen)} />
      ) : (
        isAsked.value && <Nothing />
      )}
    </section>
  );
}

/** Where there is one thing to do with it, that page is shown at once. */
function openAtOnce({ files, text }: Received): boolean {
  if (files.length === 0 && text !== "") replaceWithText(text);
  else if (areAll(files, /^image\//)) replaceWithFiles("image-convert", files);
  else if (files.length > 1 && areAll(files, /pdf$/)) replaceWithFiles("pdf-merge", files);
  else return false;
  return true;
}

function areAll(files: readonly File[], kind: RegExp): boolean {
  return files.length > 0 && files.every(({ type }) => kind.test(type));
}

function Nothing() {
  const { nothingTitle, nothing } = words().received;
  return (
    <>
      <Note title={nothingTitle}>{nothing}</Note>
      <Cards pages={TOOLS} />
    </>
  );
}
