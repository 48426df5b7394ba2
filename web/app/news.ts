import { useEffect, useRef } from "preact/hooks";
import { readEvents } from "../api/events.ts";
import { usePolling } from "./polling.ts";

/** A proxy that holds answers back lets no first event through in this time. */
const FIRST_EVENT_MS = 5_000;
/** After the end of a stream, such as when the server is replaced. */
const AGAIN_MS = 4_000;

/** A state of something on the server, and how it is heard of. */
interface News<State> {
  /** Where its events are. */
  readonly path: string;
  readonly proof: string;
  /** Asks for it once. */
  readonly ask: () => Promise<State>;
  readonly receive: (state: State) => Promise<void> | void;
  /** Whether more may come. */
  readonly isLive: () => boolean;
}

/**
 * Keeps a state up to date while the page is visible, or while `isWanted` says so: by the events of the server, and by
 * asking as long as none come.
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
      while (news.isLive() && (await hear(news, { leaving: own, onTold })))
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

/** Receives what a stream tells; whether it was worth listening to it, and nobody has left. */
async function hear<State>(
  { path, proof, receive, isLive }: News<State>,
  { leaving, onTold }: { leaving: AbortController; onTold: (is: boolean) => void },
): Promise<boolean> {
  const { signal } = leaving;
  const late = setTimeout(() => leaving.abort(), FIRST_EVENT_MS);
  let hasHeard = false;
  try {
    for await (const state of readEvents<State>(path, { proof, signal })) {
      clearTimeout(late);
      onTold((hasHeard = true));
      await receive(state);
      if (!isLive()) break;
    }
  } catch {
    // Asking makes up for it.
  }
  clearTimeout(late);
  onTold(false);
  return hasHeard && !signal.aborted;
}
