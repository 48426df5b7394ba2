import { insertMember } from "../../db/accounts/members.ts";
import { insertSession } from "../../db/accounts/sessions.ts";
import { insertToken } from "../../db/accounts/tokens.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import { makeApiToken } from "../../tools/crypto/api-token.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import type { Harness, Sent } from "./harness.ts";

const SESSION_SECONDS = 30 * 86_400;
const TOKEN_SECONDS = 365 * 86_400;

/** A member with a token and a session, and the headers that prove either. */
export interface AddedMember {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly tokenId: string;
  readonly sessionId: string;
  readonly bearer: string;
  readonly cookie: string;
}

/** Puts a member straight into the database, for tests of who is recognised and not of how they came to be. */
export async function addMember(
  { db, clock }: Harness,
  { tokenSeconds = TOKEN_SECONDS }: { tokenSeconds?: number } = {},
): Promise<AddedMember> {
  const created = clock.now;
  const [id, tokenId, sessionId] = [randomBase62(16), randomBase62(16), randomBase62(16)];
  const name = `m${id.toLowerCase()}`;
  await insertMember(db, { id, name, password: "", recoveryHash: null, createdAt: created });
  const value = randomBase62(43);
  const expiry = created + SESSION_SECONDS;
  const session = {
    id: sessionId,
    hash: digestText(value),
    member: id,
    createdAt: created,
    expiresAt: expiry,
    ...{ isStrong: false, login: "password" as const, providerSession: null },
  };
  await insertSession(db, session, { by: { password: "" } });
  const token = makeApiToken(randomBase62(32));
  const about = { id: tokenId, member: id, name: "ci", prefix: token.slice(0, 20), createdAt: created };
  const hash = digestText(token);
  await insertToken(db, { ...about, hash, expiresAt: created + tokenSeconds, ceiling: 20 });
  const cookie = `service_user_session=${value}`;
  return { id, name, token, tokenId, sessionId, bearer: `Bearer ${token}`, cookie };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** The session cookie that the answer set, as a browser sends it back; "" when it was cleared. */
  readonly cookie: string | undefined;
}

export interface Call extends Omit<Sent, "body" | "headers"> {
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends JSON and reads JSON. */
export async function call(service: Harness, path: string, sent: Call = {}): Promise<Answer> {
  const { json, headers = {}, ...init } = sent;
  const hasBody = json !== undefined;
  const response = await service.request(path, {
    method: hasBody ? "POST" : "GET",
    ...init,
    headers: { ...(hasBody ? { "content-type": "application/json" } : {}), ...headers },
    ...(hasBody ? { body: JSON.stringify(json) } : {}),
  });
  const set = response.headers.get("set-cookie")?.split(";")[0];
  const cookie = set?.endsWith("=") ? "" : set;
  // Every answer that is asked for here is a JSON object.
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body, cookie };
}

export interface Registered {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly recoveryCode: string;
  readonly cookie: string;
}

let names = 0;

/** A member who registered as anybody does. */
export async function register(service: Harness, password = "correct horse"): Promise<Registered> {
  const name = `member-${++names}`;
  const { status, body, cookie } = await call(service, "/api/account/register", { json: { name, password } });
  if (status !== 201 || !cookie) throw new Error(`Registration answered ${status}`);
  return { id: String(body.id), name, password, recoveryCode: String(body.recoveryCode), cookie };
}

/** A token of a member who is logged in. */
export async function makeToken(
  service: Harness,
  { cookie, name = "ci", expires }: { cookie: string; name?: string; expires?: number | null },
): Promise<{ id: string; token: string }> {
  const json = { name, ...(expires === undefined ? {} : { expires }) };
  const { body } = await call(service, "/api/users/me/tokens", { json, headers: { cookie } });
  return body as unknown as { id: string; token: string };
}
