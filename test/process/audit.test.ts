// process
import { existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { administer } from "../../administration.ts";
import { readConfig } from "../../adapters/config/config.ts";
import { openService } from "../../service.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

async function open(env: Record<string, string>) {
  const written: string[] = [];
  const folder = makeTempFolder();
  const settings = {
    PUBLIC_URL: "http://hush.test",
    DATABASE_URL: join(folder, "hush.db"),
    WORKERS: "1",
    ...env,
  };
  const service = await openService(readConfig(settings), {
    buildPages: false,
    write: (line) => void written.push(line),
  });
  onTestFinished(() => service.close());
  const call = async (path: string, json: object, headers: Record<string, string> = {}) => {
    const init = { method: "POST", body: JSON.stringify(json) };
    const request = new Request(`http://hush.test${path}`, {
      ...init,
      headers: { "content-type": "application/json", ...headers },
    });
    Object.defineProperty(request, "ip", { value: "192.0.2.77" });
    const response = await service.app.fetch(request);
    const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
    return { cookie, body: (await response.json()) as Record<string, string> };
  };
  return { service, written, call };
}

type Line = Record<string, string>;

function linesOf(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

describe("the audit log", () => {
  test("has who did what and how secrets ended, and nothing else of them", async () => {
    const path = join(makeTempFolder(), "audit.log");
    const { call } = await open({ AUDIT_LOG: path });
    const who = { name: "canary-name", password: "canary password" };
    const registered = await call("/api/account/register", who);
    const { cookie } = registered;
    await call("/api/account/login", { ...who, password: "canary wrong" });
    const { body: token } = await call("/api/users/me/tokens", { name: "canary-token" }, { cookie });
    const headers = { authorization: `Bearer ${token.token}` };
    const { body: secret } = await call("/api/secrets", { content: "canary-content" }, headers);
    // Of nobody nothing is written but the end.
    const { body: nobodys } = await call("/api/secrets", { content: "canary-content" });
    await call(`/api/secrets/${secret.id}/reveal`, { key: secret.key });
    await call(`/api/secrets/${nobodys.id}/revoke`, { revokeToken: nobodys.revokeToken });
    await call("/api/tools/password", {}, headers);
    await expect.poll(() => linesOf(path)).toHaveLength(6);
    const account = registered.body.id;
    const address = "192.0.2.0";
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(linesOf(path)).toEqual(
      expect.arrayContaining([
        { time, event: "account.created", account, address },
        { time, event: "account.login_failed", account: null, address },
        { time, event: "token.created", account, subject: token.id, address },
        { time, event: "secret.created", account, token: token.prefix, subject: secret.id, address },
        { time, event: "secret.revealed", account, subject: secret.id },
        { time, event: "secret.revoked", account: null, subject: nobodys.id },
      ]),
    );
    expect(readFileSync(path, "utf8")).not.toMatch(/canary|192\.0\.2\.77/);
    for (const { key, revokeToken } of [secret, nobodys]) {
      expect(readFileSync(path, "utf8")).not.toContain(key);
      expect(readFileSync(path, "utf8")).not.toContain(revokeToken);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("has what an administrator does, too", async () => {
    const folder = makeTempFolder();
    const path = join(folder, "audit.log");
    const env = { DATABASE_URL: join(folder, "hush.db"), AUDIT_LOG: path };
    const added = await administer(env, (admin) =>
      admin.addUser({ name: "canary-name", password: "canary password" }),
    );
    expect(added.exitCode).toBe(0);
    await administer(env, (admin) =>
      admin.resetUser({ name: "canary-name", password: "canary another", keep: [] }),
    );
    await administer(env, (admin) => admin.backUp(join(folder, "backup.db")));
    await administer(env, (admin) => admin.deleteUser({ name: "canary-name", secrets: "keep" }));
    const subject = expect.stringMatching(/^\w{16}$/);
    expect(linesOf(path)).toMatchObject([
      { event: "admin.account_added", account: null, subject },
      { event: "admin.account_reset", account: null, subject },
      { event: "admin.backed_up" },
      { event: "admin.account_deleted", subject },
    ]);
    expect(readFileSync(path, "utf8")).not.toContain("canary");
  });

  test("goes on in a new file after the old one was moved away", async () => {
    const path = join(makeTempFolder(), "audit.log");
    const { service, call } = await open({ AUDIT_LOG: path });
    await call("/api/account/register", { name: "first", password: "correct horse" });
    await expect.poll(() => linesOf(path)).toHaveLength(1);
    renameSync(path, `${path}.1`);
    service.reopenAudit?.();
    await call("/api/account/register", { name: "second", password: "correct horse" });
    await expect.poll(() => linesOf(path)).toHaveLength(1);
    expect(linesOf(`${path}.1`)).toHaveLength(1);
  });

  test("goes to standard output beside the log, and is told apart there", async () => {
    const { call, written } = await open({ AUDIT_LOG: "stdout" });
    await call("/api/account/register", { name: "somebody", password: "correct horse" });
    const own = written.map((line) => JSON.parse(line) as Line).filter(({ kind }) => kind === "audit");
    expect(own).toMatchObject([{ event: "account.created", address: "192.0.2.0" }]);
  });

  test("that cannot be written stops the start with a sentence", async () => {
    await expect(open({ AUDIT_LOG: "/nowhere/audit.log" })).rejects.toThrow(
      "AUDIT_LOG cannot be written (ENOENT).",
    );
  });
});
