/** Waits before a call is sent again whose answer was lost. */
export const WAITS_MS = [500, 2000, 8000] as const;

/** Calls again with the same ticket where the answer was lost, a few times. */
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
