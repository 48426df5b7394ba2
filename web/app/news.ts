import { useEffect, useRef } from "preact/hooks";
import { RestFailure } from "../../client/rest.ts";
import { hrefTo } from "./paths/base.ts";

/** A proxy that buffers answers lets no first event through within this time. */
const FIRST_EVENT_MS = 5_000;
/** After the end of a stream, for example when the server is restarted. */
const AGAIN_MS = 4_000;

/** A state on the server, and how to follow it. */
interface News<State> {
  /** The path of its events. */
  readonly path: string;
  readonly proof: string;
  /** Requests it once. */
  readonly ask: () => Promise<State>;
  readonly receive: (state: State) => Promise<void> | void;
  /** Whether it may still change. */
  readonly isLive: () => boolean;
}

/**
 * Keeps a state up to date while the page is visible, or while `isWanted` says so: by the server's events, and by
 * requests as long as none arrive.
 */
export function useNews<State>(news: News<State>, isWanted: () => boolean = () => false): void {
  const isTold = useRef(false);
  usePolling(async () => {
    if (news.isLive() && !isTold.current) await news.receive(await news.ask());
    return news.isLive();
  }, isWanted);
  useEffect(() => {
    let leaving: AbortController | undefined;
    const listen = async () => {
      const own = (leaving = new AbortController());
      const onTold = (is: boolean) => (isTold.current = is);
      while (news.isLive() && (await hear(news, own, onTold)))
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      if (leaving === own) leaving = undefined;
    };
    const onVisible = () => {
      if (document.hidden && !isWanted()) leaving?.abort();
      else if (!leaving || leaving.signal.aborted) void listen();
    };
    onVisible();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      leaving?.abort();
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, []);
}

/** Reads the events of a stream; returns whether the stream works and is still wanted. */
async function hear<State>(
  { path, proof, receive, isLive }: News<State>,
  leaving: AbortController,
  onTold: (is: boolean) => void,
): Promise<boolean> {
  const { signal } = leaving;
  const late = setTimeout(() => leaving.abort(), FIRST_EVENT_MS);
  let hasHeard = false;
  try {
    for await (const state of readEvents<State>(path, proof, signal)) {
      clearTimeout(late);
      onTold((hasHeard = true));
      await receive(state);
      if (!isLive()) break;
    }
  } catch {
    // Requests make up for it.
  }
  clearTimeout(late);
  onTold(false);
  return hasHeard && !signal.aborted;
}

const FIRST_POLL_MS = 4000;
const SLOWEST_POLL_MS = 60_000;
const BACKOFF = 1.5;

/**
 * Requests repeatedly while the page is visible, less and less often, as long as `poll` says so; also while it is
 * hidden, where `isWanted` says so.
 */
export function usePolling(poll: () => Promise<boolean>, isWanted: () => boolean = () => false): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = (delay: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void run(delay), delay);
    };
    const run = async (delay: number) => {
      clearTimeout(timer);
      const isSeen = !document.hidden || isWanted();
      // The next request makes up for a failed one.
      if (isSeen && (await poll().catch(() => true))) schedule(Math.min(delay * BACKOFF, SLOWEST_POLL_MS));
    };
    const onVisible = () => !document.hidden && void run(FIRST_POLL_MS);
    schedule(FIRST_POLL_MS);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, []);
}

/**
 * Yields a state and its changes from a stream of events (WHATWG HTML, 9.2), read with fetch, because an EventSource
 * cannot send a proof. Ends with the stream.
 * @throws RestFailure; TypeError where there is no answer
 */
async function* readEvents<State>(
  path: string,
  proof: string,
  signal: AbortSignal,
): AsyncGenerator<State, void> {
  const headers = { accept: "text/event-stream", "secret-proof": proof };
  const response = await fetch(hrefTo(path), { headers, signal });
  const { ok, headers: said, body } = response;
  const reader = body?.getReader();
  try {
    if (!ok || !reader || !said.get("content-type")?.startsWith("text/event-stream"))
      throw new RestFailure("", response);
    const decoder = new TextDecoder();
    let text = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = (text + decoder.decode(piece.value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, data] = /^event: message\ndata: (.*)$/.exec(block) ?? [];
        // The path identifies the procedure.
        if (data !== undefined) yield JSON.parse(data) as State;
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
