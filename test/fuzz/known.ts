import { deriveRequestGate, makeAskerKeys } from "../../tools/crypto/request-seal.ts";
import { freshIp } from "../support/fresh-ip.ts";
import type { Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { jsonPost } from "../support/requests.ts";

/** Values that the server knows, by the name of their parameter, so that requests come past "not found". */
export interface Known {
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Headers of a member. */
  readonly credentials: readonly Record<string, string>[];
}

const LIVES = 3;

/** Makes a member and a few secrets, files and requests of each kind, which the fuzzing uses up. */
export async function makeKnown(service: Harness): Promise<Known> {
  const member = await addMember(service);
  const credentials: Record<string, string>[] = [
    { authorization: member.bearer },
    { cookie: member.cookie, "sec-fetch-site": "same-origin" },
  ];
  const values: Record<string, string[]> = { id: [member.tokenId, member.sessionId], name: [member.name] };
  const remember = (made: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(made))
      if (typeof value === "string") (values[name] ??= []).push(value);
  };
  for (let i = 0; i < LIVES; i++) {
    const { publicKey } = await makeAskerKeys();
    const gate = deriveRequestGate(publicKey);
    const headers = credentials[i];
    remember(await make(service, "/api/secrets", jsonPost({ content: "hush" }, headers)));
    remember(await make(service, "/api/secrets", jsonPost({ content: "hush", passphrase: "p" })));
    remember(
      await make(service, "/api/secrets/file", { method: "POST", body: "file", headers: headers ?? {} }),
    );
    remember({ gate, ...(await make(service, "/api/requests", jsonPost({ gate }, headers))) });
  }
  return { values, credentials };
}

async function make(service: Harness, path: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await service.request(path, { ...init, ip: freshIp() });
  // The server's own answers are objects.
  return (await response.json()) as Record<string, unknown>;
}
