import type { Client } from "../../client/client.ts";
import { hrefTo } from "../app/paths/base.ts";
import { readFailure, ServerFailure } from "./failure.ts";
import type { Control } from "../work/run.ts";

/** What a procedure answers, as the typed client has it. */
export type AnswerOf<Mutation extends { mutate: (...args: never[]) => Promise<unknown> }> = Awaited<
  ReturnType<Mutation["mutate"]>
>;

export type Secrets = Client["secrets"];
export type Requests = Client["requests"];

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Posts JSON over REST, which takes none of the typed client's weight: whoever opens a link loads little.
 * @throws ServerFailure
 */
export async function post(path: string, body: object, options: PostOptions = {}): Promise<Response> {
  const { headers, signal } = options;
  const response = await fetch(hrefTo(path), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  if (response.ok) return response;
  throw failureFrom(await response.text());
}

/** The same for an answer in JSON, whose type is the procedure's. */
export async function postForJson<Answer>(
  path: string,
  body: object,
  options?: PostOptions,
): Promise<Answer> {
  const response = await post(path, body, options);
  // The path says which procedure it is; its answer is checked by the server's own schema.
  return (await response.json()) as Answer;
}

interface Upload {
  readonly body: Blob;
  readonly headers: Readonly<Record<string, string>>;
  readonly control: Control;
}

/** Posts bytes and tells how many have left, which fetch cannot. @throws ServerFailure */
export function upload<Answer>(path: string, { body, headers, control }: Upload): Promise<Answer> {
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  control.signal.addEventListener("abort", stop);
  request.upload.addEventListener("progress", ({ loaded }) =>
    control.onProgress(Math.min(1, loaded / body.size)),
  );
  const sent = new Promise<Answer>((resolve, reject) => {
    request.addEventListener("error", () => reject(new TypeError("The network failed")));
    request.addEventListener("abort", () => reject(control.signal.reason));
    request.addEventListener("load", () => {
      if (request.status < 300) resolve(JSON.parse(request.responseText) as Answer);
      else reject(failureFrom(request.responseText));
    });
  });
  request.open("POST", hrefTo(path));
  request.setRequestHeader("content-type", "application/octet-stream");
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.send(body);
  return sent.finally(() => control.signal.removeEventListener("abort", stop));
}

function failureFrom(text: string): ServerFailure {
  return new ServerFailure(readFailure(parse(text)) ?? { code: "unreachable", fields: {} });
}

// A proxy in between answers with a page of its own.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
