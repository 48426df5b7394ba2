import type { Client } from "../../client/client.ts";
import type { AnswerLink } from "../../wire/links.ts";
import type { Named } from "../server/links.ts";

/** The status of a request, for whoever has one of its links. */
export async function askStatus(client: Client, named: Exclude<Named, { is: "secret" }>) {
  const { id } = named.link;
  const proof =
    named.is === "collect" ? { collectToken: named.link.collectToken } : { gate: await gateOf(named.link) };
  return client.requests.status.mutate({ id, ...proof });
}

/** @throws ToolFailure damaged_file for a key that is none; nothing was sent then */
export async function gateOf({ publicKey }: AnswerLink): Promise<string> {
  const { deriveRequestGate, readLinkKey } = await import("../../tools/crypto/request-seal.ts");
  return deriveRequestGate(readLinkKey(publicKey));
}
