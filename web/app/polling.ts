import { useEffect } from "preact/hooks";

const FIRST_POLL_MS = 4000;
const SLOWEST_POLL_MS = 60_000;
const BACKOFF = 1.5;

/**
 * Asks again and again while the page is visible, less and less often, for as long as `poll` says so; also while nobody
 * looks, where `isWanted` says so.
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
      // A poll that fails is made up for by the next one.
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
