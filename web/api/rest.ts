import type { Client } from "../../client/client.ts";
import { postRest, RestFailure } from "../../client/rest.ts";
import { hrefTo } from "../app/paths/base.ts";
import type { Control } from "../work/run.ts";
import { inTime, PATIENCE_MS } from "../app/paths/reload.ts";

/** The result type of a procedure in the typed client. */
export type AnswerOf<Mutation extends { mutate: (...args: never[]) => Promise<unknown> }> = Awaited<
  ReturnType<Mutation["mutate"]>
>;

export type Secrets = Client["secrets"];
export type Requests = Client["requests"];

/**
 * Posts JSON over REST without the size of the typed client, because the page behind a link must load little.
 * @throws RestFailure
 */
export async function post(
  path: string,
  body: object,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const headers = { "content-type": "application/json", ...options.headers };
  const json = JSON.stringify(body);
  const asked = postRest(hrefTo(path), { ...options, headers, body: json });
  return inTime(asked, json.length).catch(explain);
}

/** Throws the error again, with an explanation where something else than Hushkit answered. */
async function explain(error: unknown): Promise<never> {
  const isOther = (error instanceof RestFailure && !error.body) || error instanceof TypeError;
  // Without a network that module cannot be loaded either.
  if (isOther) await import("./wall.ts").then(({ explainWall }) => explainWall(error)).catch(() => undefined);
  throw error;
}

/** Posts a body and reads the answer's JSON, with the procedure's type. @throws RestFailure */
export async function postForJson<Answer>(path: string, body: object): Promise<Answer> {
  const response = await post(path, body);
  // The path identifies the procedure, whose schema has checked the answer.
  return (await response.json()) as Answer;
}

const PROXY_BYTES_PER_MS = 20_000;

/** Posts bytes and reports how many were sent, which fetch cannot. @throws RestFailure */
export function uploadWithProgress<Answer>(
  path: string,
  { body, headers, control }: { body: Blob; headers: Readonly<Record<string, string>>; control: Control },
): Promise<Answer> {
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  control.signal.addEventListener("abort", stop);
  request.upload.addEventListener("progress", ({ loaded }) =>
    control.onProgress(Math.min(1, loaded / body.size)),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sent = new Promise<Answer>((resolve, reject) => {
    const fail = () => void explain(new TypeError("network")).catch(reject);
    request.addEventListener("error", fail);
    // All is sent, and nothing comes back; a proxy may have to pass it on first.
    const ms = PATIENCE_MS + body.size / PROXY_BYTES_PER_MS;
    request.upload.addEventListener("load", () => (timer = setTimeout(fail, ms)));
    request.addEventListener("abort", () => reject(control.signal.reason));
    request.addEventListener("load", () => {
      const { responseText: text, responseURL: url, status } = request;
      const get = (name: string) => request.getResponseHeader(name);
      if (status < 300 && get("request-id")) resolve(JSON.parse(text) as Answer);
      else void explain(new RestFailure(text, { status, url, headers: { get } })).catch(reject);
    });
  });
  request.open("POST", hrefTo(path));
  request.setRequestHeader("content-type", "application/octet-stream");
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.send(body);
  return sent.finally(() => {
    clearTimeout(timer);
    control.signal.removeEventListener("abort", stop);
  });
}
