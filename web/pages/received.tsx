import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useDraft } from "../app/paths/history.ts";
import { words } from "../app/language/words.ts";
import { TOOLS } from "../app/paths/pages.ts";
import { PageHead } from "../app/shell.tsx";
import { openWithFiles, replaceWithFiles, replaceWithText } from "../files/incoming.ts";
import { ToolChoice } from "../files/tool-choice.tsx";
import { Cards } from "../parts/cards.tsx";
import { Note } from "../parts/note.tsx";
import { type SharedContent, SHARED, type Question } from "../received/handover.ts";

/** Receives what other programs share through the system, or files that are opened with the pages. */
export function Page() {
  const files = useDraft<readonly File[]>("received", []);
  const isAsked = useSignal(false);
  useEffect(() => {
    const take = (received: SharedContent) => {
      if (!openAtOnce(received)) files.value = received.files;
    };
    onOpenedFiles(take);
    void takeShared().then((received) => {
      if (received) take(received);
      isAsked.value = true;
    });
  }, []);
  const hasFiles = files.value.length > 0;
  const { frame, pages, received } = words();
  return (
    <section class="page">
      <PageHead title={pages.received.title}>{hasFiles && received.lead}</PageHead>
      {!hasFiles && (isAsked.value ? <Nothing /> : <p class="loading">{frame.loading}</p>)}
      {hasFiles && (
        <ToolChoice files={files.value} onOpen={({ name }, chosen) => openWithFiles(name, chosen)} />
      )}
    </section>
  );
}

/** Where only one thing can be done with it, that page is shown at once. */
function openAtOnce({ files, text }: SharedContent): boolean {
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

/** Takes what the service worker has stored, if anything. */
function takeShared(): Promise<SharedContent | undefined> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const answer = ({ data }: MessageEvent<SharedContent | undefined>) => resolve(data);
    port1.addEventListener("message", answer, { once: true });
    port1.start();
    const question: Question = { ask: SHARED, name: new URLSearchParams(location.search).get(SHARED) };
    worker.postMessage(question, [port2]);
  });
}

/** Waits for files that the system opens with the pages. */
function onOpenedFiles(take: (received: SharedContent) => void): void {
  // Missing in TypeScript's DOM library, and in some browsers.
  const { launchQueue } = globalThis as {
    launchQueue?: {
      setConsumer: (
        consume: (launch: { files?: readonly { getFile: () => Promise<File> }[] }) => void,
      ) => void;
    };
  };
  launchQueue?.setConsumer(({ files = [] }) => {
    if (files.length === 0) return;
    void Promise.all(files.map((each) => each.getFile())).then((opened) => take({ files: opened, text: "" }));
  });
}
