import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../../router/app.ts";
import { API_BASE, explainAnswer, otherVersion, versionOf, type ReceivedAnswer } from "./not-hushkit.ts";
import { readAnswerJson } from "./read-answer.ts";

type ClientError = TRPCClientError<AppRouter>;

/** Lets `look` replace the error of a call before the caller gets it. */
export function errorLink(look: (error: ClientError) => Promise<ClientError>): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (answer) => observer.next(answer),
          complete: () => observer.complete(),
          error: (error) => void look(error).then((looked) => observer.error(looked)),
        }),
      );
}

/** The message of Hushkit, and of tRPC itself. */
const UNKNOWN_CALL = /\bno procedure\b/i;

/** Where a server does not know a call, asks for its version and names it in the error. */
export function versionLink(base: string, fetch = globalThis.fetch): TRPCLink<AppRouter> {
  return errorLink(async (error) => {
    if (error.data?.code !== "not_found" || !UNKNOWN_CALL.test(error.message)) return error;
    const version = await askVersion(`${base}/api/instance`, fetch);
    if (version !== undefined) return TRPCClientError.from(otherVersion(version, base));
    // Below its /trpc a Hushkit takes all of a path for the name of a call.
    if (!API_BASE.test(base)) return error;
    const came = { status: 404, url: "", headers: new Headers() };
    return TRPCClientError.from(await explainAnswer(came, { url: `${base}/trpc/` }));
  });
}

async function askVersion(url: string, fetch: typeof globalThis.fetch): Promise<string | undefined> {
  try {
    return versionOf(await readAnswerJson(await fetch(url)));
  } catch {
    return undefined;
  }
}

/** Fails a call whose answer is not one that `isKnown` takes. */
export function knownAnswersLink(
  base: string,
  isKnown: (path: string, answer: unknown) => boolean,
): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let isWrong = false;
        return next(op).subscribe({
          next: (answer) => {
            const { result, context } = answer;
            isWrong = result.type === "data" && !isKnown(op.path, result.data);
            if (!isWrong) return observer.next(answer);
            // All links of the client put the response there.
            const { response } = context as { response: ReceivedAnswer };
            void explainAnswer(response, { url: response.url || `${base}/trpc/${op.path}` }).then((error) =>
              observer.error(TRPCClientError.from(error)),
            );
          },
          complete: () => isWrong || observer.complete(),
          error: (error) => observer.error(error),
        });
      });
}
