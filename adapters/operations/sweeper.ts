/**
 * Sweeps at once, for a server that was down has what expired meanwhile to delete, and then again and again; never
 * while a sweep still runs. Answers what ends it and waits for the one that runs.
 */
export function startSweeping({
  sweep,
  onFault,
  everyMs,
  againMs,
}: {
  /** Sweeps once; the signal asks it to end soon. */
  sweep: (signal: AbortSignal) => Promise<void>;
  onFault: (error: unknown) => void;
  everyMs: number;
  /** Once more so long after the start: what died with the process before is over by then. */
  againMs: number;
}): () => Promise<void> {
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const once = () => {
    running ??= sweep(ending.signal)
      .catch(onFault)
      .finally(() => (running = undefined));
  };
  const timer = setInterval(once, everyMs);
  const again = setTimeout(once, againMs);
  once();
  return async () => {
    clearInterval(timer);
    clearTimeout(again);
    ending.abort();
    await running;
  };
}
