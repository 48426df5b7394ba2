import { expect, test } from "vitest";
import { HOOK_SETTINGS, HOOK_URL } from "../support/hook-receiver.ts";
import { register } from "../support/members.ts";
import { withServer } from "../support/with-server.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer({ settings: HOOK_SETTINGS });
const HOST = HOOK_SETTINGS.NOTIFY_HOSTS;

test("adds, lists, changes and removes hooks for whoever knows the password", async () => {
  const shell = openShell(service);
  const { name, password } = await register(service);
  const who = ["--name", name, "--password-fd", "3"];
  const typed = { fd3: password };
  const added = await shell.run(["hook", "add", HOOK_URL, ...who], typed);
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^whsec_[\w+/]{43}=\n$/) });
  const chat = await shell.run(
    ["hook", "add", HOOK_URL, "--form", "slack", "--event", "secret.locked", "--json", ...who],
    typed,
  );
  const made = JSON.parse(chat.out) as { id: string };
  expect(made).toMatchObject({ form: "slack", host: HOST, events: ["secret.locked"], secret: null });
  const listed = await shell.run(["hook", "list", ...who], typed);
  expect(listed.out).toContain(`${made.id}  slack     ${HOST}  secret.locked\n`);
  expect(listed.out).not.toContain(HOOK_URL);
  const change = (...what: string[]) => shell.run(["hook", "change", made.id, ...what, ...who], typed);
  expect(await change()).toMatchObject({ code: 2, err: expect.stringContaining("--url, --form or --event") });
  expect(await change("--event", "secret.revealed", "request.answered")).toMatchObject({ code: 0, out: "" });
  // Each of these is a login, of which a name has five a minute.
  service.clock.now += 60;
  expect(await change("--url", `${HOOK_URL}/other`, "--form", "standard")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^whsec_[\w+/]{43}=\n$/),
  });
  const changed = await shell.run(["hook", "list", ...who], typed);
  expect(changed.out).toContain(`${made.id}  standard  ${HOST}  secret.revealed,request.answered\n`);
  expect(await shell.run(["hook", "remove", made.id, ...who], typed)).toMatchObject({ code: 0 });
  expect(await shell.run(["hook", "remove", made.id, ...who], typed)).toMatchObject({ code: 3 });
  service.clock.now += 60;
  expect(await shell.run(["hook", "add", "https://ntfy.sh/topic", ...who], typed)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`must be at one of ${HOST}`),
  });
});

test("sends and asks without a notice where it is told so", async () => {
  const shell = openShell(service);
  shell.put("a.txt", "a file");
  await shell.run(["send", "--no-notify"], { stdin: "quiet" });
  await shell.run(["send", "a.txt", "--no-notify"]);
  await shell.run(["send"], { stdin: "told" });
  await shell.run(["ask", "--no-notify"]);
  const { query } = service.db;
  const secrets = await query.selectFrom("secret").select("is_quiet").execute();
  expect(secrets.map((row) => row.is_quiet).sort()).toEqual([1, 1, null]);
  expect(await query.selectFrom("request").select("is_quiet").execute()).toEqual([{ is_quiet: 1 }]);
});
