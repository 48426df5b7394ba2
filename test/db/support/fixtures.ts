import type { NewMember } from "../../../db/accounts/members.ts";
import type { Database } from "../../../db/open.ts";
import type { NewSession } from "../../../db/accounts/sessions.ts";
import type { NewToken } from "../../../db/accounts/tokens.ts";
import type { NewRequest } from "../../../db/requests.ts";
import type { NewSecret } from "../../../db/secrets/secrets.ts";

/** Bytes that are easy to know from others. */
export function bytes(fill: number, length = 32): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).fill(fill);
}

/** A secret to insert, sound but for what the test says. */
export function newSecret(changes: Partial<NewSecret> = {}) {
  return {
    id: makeId(),
    verifier: bytes(1),
    passVerifier: null,
    revokeHash: bytes(3),
    sealed: bytes(4, 60),
    createdAt: 1_000,
    expiresAt: 2_000,
    isEncrypted: false,
    owner: null,
    ...changes,
  };
}

/** Many secrets that are over at 2,000, in few statements. */
export async function insertOver(db: Database, count: number): Promise<void> {
  const secrets = Array.from({ length: count }, (_, i) => newSecret({ expiresAt: 1_100 + (i % 900) }));
  for (let at = 0; at < count; at += 100) {
    const some = secrets.slice(at, at + 100);
    await db.writeSoon(async (trx) => {
      const rows = some.map(({ id, verifier, revokeHash, createdAt, expiresAt }) => ({
        ...{ id, verifier, pass_verifier: null, revoke_hash: revokeHash, status: "active" as const },
        ...{ created_at: createdAt, expires_at: expiresAt, closed_at: null },
        ...{ is_encrypted: 0, attempts: 0, owner: null },
      }));
      await trx.insertInto("secret").values(rows).execute();
      const contents = some.map(({ id }) => ({ secret_id: id, size: 600, sealed: bytes(4, 600) }));
      await trx.insertInto("secret_content").values(contents).execute();
    });
  }
}

/** A request to insert. */
export function newRequest(changes: Partial<NewRequest> = {}): NewRequest {
  return {
    id: makeId(),
    gateHash: bytes(1),
    collectHash: bytes(2),
    note: null,
    createdAt: 1_000,
    expiresAt: 2_000,
    owner: null,
    label: `l1.${"x".repeat(120)}`,
    ...changes,
  };
}

let made = 0;
/** Sixteen base62 characters that no other test has, and no order in them. */
function makeId(): string {
  made += 1;
  return crypto.randomUUID().replaceAll("-", "").slice(0, 11) + String(made).padStart(5, "0");
}

/** A member, a session, a token: sound but for what the test says. Each has a hash that no other one has. */
export function newMember(changes: Partial<NewMember> = {}): NewMember {
  const id = makeId();
  return {
    id,
    name: `name-${id}`,
    password: "$scrypt$",
    recoveryHash: makeHash(),
    createdAt: 1_000,
    ...changes,
  };
}

/** With what a member of `newMember` has logged in. */
export const BY_PASSWORD = { by: { password: "$scrypt$" } };

export function newSession(changes: { member: string } & Partial<NewSession>): NewSession {
  const proved = { isStrong: false, login: "password" as const, providerSession: null };
  return { id: makeId(), hash: makeHash(), createdAt: 1_000, expiresAt: 9_000, ...proved, ...changes };
}

export function newToken(changes: { member: string; ceiling?: number } & Partial<NewToken>) {
  const fresh = { id: makeId(), hash: makeHash(), name: "laptop", prefix: "service_token_0123" };
  return { ...fresh, createdAt: 1_000, expiresAt: null, ceiling: 20, ...changes };
}

function makeHash(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(32));
}
