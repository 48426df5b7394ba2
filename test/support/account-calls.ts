import { setRole } from "../../db/accounts/administered.ts";
import { tieIdentity } from "../../db/accounts/identities.ts";
import type { takeActs } from "./acts.ts";
import { Authenticator } from "./authenticator.ts";
import type { Harness } from "./harness.ts";
import { HOOK_URL } from "./hook-receiver.ts";
import { call, makeToken, register, type Call, type Registered } from "./members.ts";
import { codeAt } from "./totp.ts";

export const BROWSER = { origin: "https://hush.example", rpId: "hush.example", isVerified: true };
export const PASSWORD = "correct horse";
const IP = "192.0.2.77";
export const ADDRESS = "192.0.2.0";
const GATE = "g".repeat(43);

export type Asked = Parameters<Authenticator["create"]>[0];

export type Acts = readonly Partial<Awaited<ReturnType<typeof takeActs>>[number]>[];

/** A call that changes something of an account, and what the audit log says of it. */
export interface AccountCall {
  readonly run: () => Promise<{ status: number; body: unknown; cookie?: string | undefined }>;
  readonly acts: (answer: { id: string }) => Acts;
}

/**
 * A call of each procedure that changes an account, on a service at `BROWSER.origin` with HOOK_SETTINGS: each prepares what it needs.
 */
export function accountCalls(service: Harness) {
  const send = (path: string, sent: Call = {}) => call(service, path, { ip: IP, ...sent });
  const post = (path: string, json: object, headers: Record<string, string> = {}) =>
    send(path, { json, headers });
  const drop = (path: string, json: object, { cookie }: Registered) =>
    send(path, { method: "DELETE", json, headers: { cookie } });
  const own = ({ cookie }: Registered) => ({ cookie });
  const logIn = (json: object) => post("/api/account/login", json);

  async function registerAdmin(): Promise<Registered> {
    const admin = await register(service);
    await setRole(service.db, admin.id, "admin");
    return admin;
  }

  async function withApp() {
    const member = await register(service);
    const { body } = await post("/api/users/me/totp", {}, own(member));
    const secret = String(body.secret);
    return { member, code: () => codeAt(secret, service.clock.now) };
  }

  async function withPasskey() {
    const [member, authenticator] = [await register(service), new Authenticator()];
    const options = (await post("/api/users/me/passkeys/options", {}, own(member))).body as unknown as Asked;
    const json = { name: "Laptop", response: authenticator.create(options, BROWSER) };
    return { member, authenticator, add: () => post("/api/users/me/passkeys", json, own(member)) };
  }

  const calls: Readonly<Record<string, () => Promise<AccountCall>>> = {
    "account.register": async () => ({
      run: () => post("/api/account/register", { name: "made-here", password: PASSWORD }),
      acts: ({ id: account }) => [
        { event: "account.created", account },
        { event: "account.login", account, login: "password" },
      ],
    }),
    "account.login": async () => {
      const { id: account, name } = await register(service);
      return {
        run: () => logIn({ name, password: PASSWORD }),
        acts: () => [{ event: "account.login", account, login: "password" }],
      };
    },
    "account.recover": async () => {
      const { id: account, name, recoveryCode } = await register(service);
      return {
        run: () => post("/api/account/recover", { name, recoveryCode, password: "another horse" }),
        acts: () => [
          { event: "account.recovered", account },
          { event: "session.ended", account },
          { event: "account.login", account, login: "recovery" },
        ],
      };
    },
    "account.logout": async () => {
      const member = await register(service);
      return {
        run: () => post("/api/account/logout", {}, own(member)),
        acts: () => [{ event: "account.logout", account: member.id }],
      };
    },
    "account.passkeyLogin": async () => {
      const { member, authenticator, add } = await withPasskey();
      await add();
      authenticator.counter = 1;
      const options = (await post("/api/account/passkey/options", {})).body as unknown as Asked;
      return {
        run: () => post("/api/account/passkey", { response: authenticator.get(options, BROWSER) }),
        acts: () => [{ event: "account.login", account: member.id, login: "passkey" }],
      };
    },
    "account.delete": async () => {
      const member = await register(service);
      return {
        run: () => drop("/api/users/me", { password: PASSWORD, secrets: "keep" }, member),
        acts: () => [
          { event: "account.deleted", account: member.id },
          { event: "account.logout", account: member.id },
        ],
      };
    },
    "account.changePassword": async () => {
      const member = await register(service);
      return {
        run: () =>
          post("/api/users/me/password", { password: PASSWORD, newPassword: "another horse" }, own(member)),
        acts: () => [{ event: "account.password_changed", account: member.id }],
      };
    },
    "account.endSession": async () => {
      const member = await register(service);
      await logIn({ name: member.name, password: PASSWORD });
      const { body } = await send("/api/users/me/sessions", { headers: own(member) });
      const sessions = body.sessions as { id: string; isCurrent: boolean }[];
      const subject = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "";
      return {
        run: () => send(`/api/users/me/sessions/${subject}`, { method: "DELETE", headers: own(member) }),
        acts: () => [{ event: "session.ended", account: member.id, subject }],
      };
    },
    "account.endOtherSessions": async () => {
      const member = await register(service);
      await logIn({ name: member.name, password: PASSWORD });
      return {
        run: () => send("/api/users/me/sessions", { method: "DELETE", headers: own(member) }),
        acts: () => [{ event: "session.ended", account: member.id }],
      };
    },
    "account.beginTotp": async () => {
      const member = await register(service);
      // Nothing is asked for at a login before a code was confirmed.
      return { run: () => post("/api/users/me/totp", {}, own(member)), acts: () => [] };
    },
    "account.confirmTotp": async () => {
      const { member, code } = await withApp();
      return {
        run: () => post("/api/users/me/totp/confirm", { code: code() }, own(member)),
        acts: () => [{ event: "account.totp_added", account: member.id }],
      };
    },
    "account.endTotp": async () => {
      const { member, code } = await withApp();
      const { cookie = "" } = await post("/api/users/me/totp/confirm", { code: code() }, own(member));
      return {
        run: () => drop("/api/users/me/totp", { password: PASSWORD }, { ...member, cookie }),
        acts: () => [{ event: "account.totp_removed", account: member.id }],
      };
    },
    "account.beginPasskey": async () => {
      const member = await register(service);
      return { run: () => post("/api/users/me/passkeys/options", {}, own(member)), acts: () => [] };
    },
    "account.addPasskey": async () => {
      const { member, authenticator, add } = await withPasskey();
      return {
        run: add,
        acts: () => [{ event: "account.passkey_added", account: member.id, subject: authenticator.id }],
      };
    },
    "account.deletePasskey": async () => {
      const { member, authenticator, add } = await withPasskey();
      const { cookie = "" } = await add();
      return {
        run: () => drop(`/api/users/me/passkeys/${authenticator.id}`, {}, { ...member, cookie }),
        acts: () => [{ event: "account.passkey_removed", account: member.id, subject: authenticator.id }],
      };
    },
    "account.deleteIdentity": async () => {
      const member = await register(service);
      const identity = { issuer: "https://acme.example", subject: member.id, name: "ann" };
      await tieIdentity(service.db, { ...identity, member: member.id, now: service.clock.now });
      const listed = await service.request("/api/users/me/identities", { headers: own(member) });
      const [{ id } = { id: "" }] = (await listed.json()) as { id: string }[];
      return {
        run: () => drop(`/api/users/me/identities/${id}`, {}, member),
        acts: () => [{ event: "account.identity_removed", account: member.id }],
      };
    },
    "account.beginPasskeyLogin": async () => ({
      run: () => post("/api/account/passkey/options", {}),
      acts: () => [],
    }),
    "tokens.create": async () => {
      const member = await register(service);
      return {
        run: () => post("/api/users/me/tokens", { name: "ci" }, own(member)),
        acts: ({ id: subject }) => [{ event: "token.created", account: member.id, subject }],
      };
    },
    "tokens.revoke": async () => {
      const member = await register(service);
      const { id: subject } = await makeToken(service, member);
      return {
        run: () => send(`/api/users/me/tokens/${subject}`, { method: "DELETE", headers: own(member) }),
        acts: () => [{ event: "token.revoked", account: member.id, subject }],
      };
    },
    "hooks.create": async () => {
      const member = await register(service);
      return {
        run: () => post("/api/users/me/hooks", { url: HOOK_URL }, own(member)),
        acts: ({ id: subject }) => [{ event: "account.hook_added", account: member.id, subject }],
      };
    },
    "hooks.change": async () => {
      const member = await register(service);
      const { body } = await post("/api/users/me/hooks", { url: HOOK_URL, form: "slack" }, own(member));
      const subject = String(body.id);
      return {
        run: () => post(`/api/users/me/hooks/${subject}`, { form: "standard" }, own(member)),
        acts: () => [{ event: "account.hook_changed", account: member.id, subject }],
      };
    },
    "hooks.remove": async () => {
      const member = await register(service);
      const { body } = await post("/api/users/me/hooks", { url: HOOK_URL }, own(member));
      const subject = String(body.id);
      return {
        run: () => send(`/api/users/me/hooks/${subject}`, { method: "DELETE", headers: own(member) }),
        acts: () => [{ event: "account.hook_removed", account: member.id, subject }],
      };
    },
    "secrets.create": async () => {
      const { id: account, ...member } = await register(service);
      const { token } = await makeToken(service, member);
      return {
        run: () => post("/api/secrets", { content: "a" }, { authorization: `Bearer ${token}` }),
        acts: ({ id: subject }) => [{ event: "secret.created", account, subject, token: token.slice(0, 20) }],
      };
    },
    "secrets.createFile": async () => {
      const { id: account, cookie } = await register(service);
      const headers = { cookie, "content-type": "application/octet-stream" };
      return {
        run: async () => {
          const response = await service.request("/api/secrets/file", {
            method: "POST",
            body: "a",
            headers,
            ip: IP,
          });
          return { status: response.status, body: await response.json() };
        },
        acts: ({ id: subject }) => [{ event: "secret.created", account, subject }],
      };
    },
    "secrets.revokeOwn": async () => {
      const member = await register(service);
      const { body } = await post("/api/secrets", { content: "a" }, own(member));
      return {
        run: () => send(`/api/secrets/${String(body.id)}`, { method: "DELETE", headers: own(member) }),
        acts: () => [{ event: "secret.revoked", account: member.id, subject: String(body.id) }],
      };
    },
    "requests.create": async () => {
      const member = await register(service);
      return {
        run: () => post("/api/requests", { gate: GATE }, own(member)),
        acts: ({ id: subject }) => [{ event: "request.created", account: member.id, subject }],
      };
    },
    "requests.cancelOwn": async () => {
      const member = await register(service);
      const { body } = await post("/api/requests", { gate: GATE }, own(member));
      return {
        run: () => send(`/api/requests/${String(body.id)}`, { method: "DELETE", headers: own(member) }),
        acts: () => [{ event: "request.cancelled", account: member.id, subject: String(body.id) }],
      };
    },
    "admin.members": async () => {
      const admin = await registerAdmin();
      return {
        run: () => send("/api/admin/members", { headers: own(admin) }),
        acts: () => [{ event: "admin.members_listed", account: admin.id }],
      };
    },
    "admin.counters": async () => {
      const admin = await registerAdmin();
      return {
        run: () => send("/api/admin/counters", { headers: own(admin) }),
        acts: () => [{ event: "admin.counters_read", account: admin.id }],
      };
    },
    "admin.addMember": async () => {
      const admin = await registerAdmin();
      return {
        run: () => post("/api/admin/members", { name: "added-here" }, own(admin)),
        acts: ({ id: subject }) => [{ event: "admin.account_added", account: admin.id, subject }],
      };
    },
    "admin.resetMember": async () => {
      const [{ id: account, ...admin }, { member, add }] = [await registerAdmin(), await withPasskey()];
      await add();
      const path = `/api/admin/members/${member.id}/reset`;
      return {
        run: () => post(path, {}, { cookie: admin.cookie }),
        acts: () => [
          { event: "admin.account_reset", account, subject: member.id },
          { event: "session.ended", account },
          { event: "account.passkey_removed", account },
        ],
      };
    },
    "admin.disableMember": async () => {
      const [admin, member] = [await registerAdmin(), await register(service)];
      return {
        run: () => post(`/api/admin/members/${member.id}/disable`, {}, own(admin)),
        acts: () => [
          { event: "admin.account_disabled", account: admin.id, subject: member.id },
          { event: "session.ended", account: admin.id },
        ],
      };
    },
    "admin.enableMember": async () => {
      const [admin, member] = [await registerAdmin(), await register(service)];
      await post(`/api/admin/members/${member.id}/disable`, {}, own(admin));
      return {
        run: () => post(`/api/admin/members/${member.id}/enable`, {}, own(admin)),
        acts: () => [{ event: "admin.account_enabled", account: admin.id, subject: member.id }],
      };
    },
    "admin.deleteMember": async () => {
      const [admin, member] = [await registerAdmin(), await register(service)];
      return {
        run: () => drop(`/api/admin/members/${member.id}`, { secrets: "keep" }, admin),
        acts: () => [
          { event: "admin.account_deleted", account: admin.id, subject: member.id },
          { event: "session.ended", account: admin.id },
        ],
      };
    },
  };
  return { calls, send, post, own, logIn, registerAdmin, withApp, withPasskey };
}
