import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { configHelp } from "../adapters/config/config.ts";
import { findMember, insertMember } from "../db/accounts/members.ts";
import { answerRequest, collectAnswer, findRequest, insertRequest } from "../db/requests.ts";
import { claimSecret, findSecret, insertSecret } from "../db/secrets/secrets.ts";
import { findSession, insertSession } from "../db/accounts/sessions.ts";
import { findToken, insertToken } from "../db/accounts/tokens.ts";
import { bytes, newMember, newRequest, newSecret, newSession, newToken } from "./db/support/fixtures.ts";
import { withDatabases } from "./db/support/harness.ts";

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
}

const variables = new Map(
  [...configHelp().matchAll(/^ {2}([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);

test("the guide names every setting with its default", () => {
  const settings = read("docs/operations.md").split("## Settings")[1]!.split("## ")[0]!;
  for (const [name, value] of variables) {
    const line = settings.split("\n").find((each) => each.startsWith("|") && each.includes(`\`${name}\``));
    expect(line, name).toContain(`\`${value}\``);
  }
});

test("Dockerfile, compose file and unit set nothing that the server does not read", () => {
  const others = ["NODE_ENV", "UV_THREADPOOL_SIZE", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"];
  const set = [
    ...read("Dockerfile").matchAll(/(?<=^ENV .*)\b([A-Z_]+)=/gm),
    ...read("compose.yaml").matchAll(/^ {6}([A-Z_]+):/gm),
    ...read("docs/operations.md").matchAll(/(?<=^Environment=.*)\b([A-Z_]+)=/gm),
  ].map(([, name = ""]) => name);
  expect(set).toContain("DATABASE_URL");
  expect(set.filter((name) => !variables.has(name) && !others.includes(name))).toEqual([]);
});

withDatabases("after a backup was restored", (db) => {
  test("its script leaves no secret, request, session or token alive, and keeps accounts", async () => {
    const [member, kept, taken] = [newMember(), newSecret(), newSecret()];
    await insertMember(db, member);
    const session = newSession({ member: member.id });
    const token = newToken({ member: member.id });
    await insertSession(db, session);
    await insertToken(db, token);
    for (const secret of [kept, taken]) await insertSecret(db, secret);
    const right = { verifier: bytes(1), passVerifier: null, now: 1_500 };
    await claimSecret(db, { id: taken.id, ...right });
    const request = newRequest({ note: "n1.x" });
    await insertRequest(db, request);
    await answerRequest(db, { id: request.id, gateHash: bytes(1), sealed: bytes(4, 60), now: 1_500 });

    const script = read("docs/after-restore.sql")
      .replace(/^--.*$/gm, "")
      .replaceAll(":now", "1600");
    const statements = script.split(";").map((each) => each.trim());
    const changes = statements.filter((each) => each !== "" && each !== "begin" && each !== "commit");
    expect(changes).toHaveLength(8);
    await db.write(async (trx) => {
      for (const change of changes) await sql.raw(change).execute(trx);
    });

    expect(await claimSecret(db, { id: kept.id, ...right })).toBeUndefined();
    expect(await findSecret(db, { id: kept.id, now: 1_700 })).toMatchObject({
      status: "revoked",
      closedAt: 1600,
    });
    expect(await findSecret(db, { id: taken.id, now: 1_700 })).toMatchObject({
      status: "revealed",
      closedAt: 1500,
    });
    expect(await findRequest(db, { id: request.id, now: 1_700 })).toMatchObject({
      status: "cancelled",
      closedAt: 1600,
      note: null,
    });
    expect(await collectAnswer(db, { id: request.id, collectHash: bytes(2), now: 1_550 })).toBeUndefined();
    expect(await findSession(db, { hash: session.hash, now: 1_500, idleSeconds: 900 })).toBeUndefined();
    expect(await findToken(db, { hash: token.hash, now: 1_500 })).toBeUndefined();
    expect(await findMember(db, { id: member.id })).toMatchObject({ name: member.name });
  });
});
