import { SHARED, type Question, type Received } from "./handover.ts";

/** What a browser hands to an installed page with which files are opened. */
interface LaunchQueue {
  readonly setConsumer: (
    consume: (launch: { files?: readonly { getFile: () => Promise<File> }[] }) => void,
  ) => void;
}

/** Takes what the service worker keeps, if there is something. */
export function takeShared(): Promise<Received | undefined> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const answer = ({ data }: MessageEvent<Received | undefined>) => resolve(data);
    port1.addEventListener("message", answer, { once: true });
    port1.start();
    const question: Question = { ask: SHARED, name: new URLSearchParams(location.search).get(SHARED) };
    worker.postMessage(question, [port2]);
  });
}

/** Waits for files that the system opens with the pages. */
export function onOpenedFiles(take: (received: Received) => void): void {
  // TypeScript's DOM library does not have it, as some browsers do not.
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files = [] }) => {
    if (files.length === 0) return;
    void Promise.all(files.map((each) => each.getFile())).then((opened) => take({ files: opened, text: "" }));
  });
}
