import { insertMember } from "../db/members.ts";
import { insertSession } from "../db/sessions.ts";
import { insertToken } from "../db/tokens.ts";
import { sha256 } from "../router/secret-reading.ts";
import { makeApiToken } from "../tools/api-token.ts";
import { randomBase62 } from "../tools/base62.ts";
import type { Harness } from "./harness.ts";

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
  await insertMember(db, { id, name, password: "", recoveryHash: null, created });
  const value = randomBase62(43);
  const expiry = created + SESSION_SECONDS;
  await insertSession(db, { id: sessionId, hash: await sha256(value), member: id, created, expiry });
  const token = makeApiToken(randomBase62(32));
  const about = { id: tokenId, member: id, name: "ci", prefix: token.slice(0, 20), created };
  const hash = await sha256(token);
  await insertToken(db, { ...about, hash, expiry: created + tokenSeconds, ceiling: 20 });
  const cookie = `service_user_session=${value}`;
  return { id, name, token, tokenId, sessionId, bearer: `Bearer ${token}`, cookie };
}
