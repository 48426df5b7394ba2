import { isNetworkFailure } from "./failure.ts";

const WAIT_MS = [500, 2000, 8000];

/** Calls again with the same ticket where the answer was lost, a few times. */
export async function askAgain<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (const wait of WAIT_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isNetworkFailure(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return call();
}
