import type { Harness } from "./harness.ts";

/** A stream of events of the service, read one event after the other. */
export interface EventReader {
  readonly response: Response;
  /** The next event, by its fields; undefined at the end. Comments are skipped. */
  readonly next: () => Promise<Readonly<Record<string, string>> | undefined>;
  /** What the next event says, where it is a message. */
  readonly state: () => Promise<Record<string, unknown>>;
  readonly leave: () => Promise<void>;
}

/** Listens to the events at a path with a proof. */
export async function listenTo(
  service: Pick<Harness, "request">,
  path: string,
  { proof, ip, headers = {} }: { proof?: string; ip?: string; headers?: Record<string, string> } = {},
): Promise<EventReader> {
  const response = await service.request(path, {
    headers: { ...headers, ...(proof !== undefined && { "secret-proof": proof }) },
    ...(ip !== undefined && { ip }),
  });
  return readEvents(response);
}

export function readEvents(response: Response): EventReader {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next: EventReader["next"] = async () => {
    for (;;) {
      const [, block] = /^\n*((?:.+\n)+)\n/.exec(text) ?? [];
      if (block !== undefined) {
        text = text.slice(text.indexOf(block) + block.length + 1);
        const fields = block.split("\n").flatMap((line) => {
          const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
          return name === undefined ? [] : [[name, value ?? ""] as const];
        });
        if (fields.length > 0) return Object.fromEntries(fields);
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  const state = async () => {
    const event = await next();
    if (event?.["event"] !== "message") throw new Error(`No state but ${JSON.stringify(event)}`);
    return JSON.parse(event["data"] ?? "") as Record<string, unknown>;
  };
  return { response, next, state, leave: () => reader.cancel() };
}
