import { RestFailure } from "../../client/rest.ts";
import { hrefTo } from "../app/paths/base.ts";

/**
 * What a stream of events tells of a state and each of its changes (WHATWG HTML, 9.2), read from the answer of fetch: an
 * EventSource would send no proof. It ends with the stream.
 * @throws RestFailure; TypeError where nobody answers
 */
export async function* readEvents<State>(
  path: string,
  { proof, signal }: { proof: string; signal: AbortSignal },
): AsyncGenerator<State, void> {
  const headers = { accept: "text/event-stream", "secret-proof": proof };
  const response = await fetch(hrefTo(path), { headers, signal });
  const { ok, headers: said, body } = response;
  const reader = body?.getReader();
  try {
    if (!ok || !reader || !said.get("content-type")?.startsWith("text/event-stream"))
      throw new RestFailure("", response);
    const decoder = new TextDecoder();
    let text = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = (text + decoder.decode(piece.value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, data] = /^event: message\ndata: (.*)$/.exec(block) ?? [];
        // The path says which procedure it is.
        if (data !== undefined) yield JSON.parse(data) as State;
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
