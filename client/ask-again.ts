/** Waits before a call whose answer was lost is repeated. */
export const WAITS_MS = [500, 2000, 8000] as const;

/** Repeats a call with the same ticket a few times where its answer was lost. */
export async function askAgain<Answer>(
  call: () => Promise<Answer>,
  isLost: (error: unknown) => boolean,
): Promise<Answer> {
  for (const wait of WAITS_MS)
    try {
      return await call();
    } catch (error) {
      if (!isLost(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  return call();
}
