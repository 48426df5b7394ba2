// process
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { createServer as createSocket, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { testWith } from "../../../machine/skips.ts";
import { nodePath } from "../../../support/runtimes.ts";
import { makeTempFolder } from "../../../support/temp-folder.ts";
import { SECRET } from "../support/receiver.ts";

const FOLDER = new URL("../../../../examples/receivers/", import.meta.url);
const EVENT = { type: "secret.revealed", timestamp: "2026-11-25T03:00:00.000Z" };
const DATA = { id: "mC9AJhLie1PsMHNx", kind: "text" };
const SENTENCE = "The text mC9AJhLie1PsMHNx was opened.";

/** Starts one of the examples; answers its address. */
async function startExample(name: string, env: Record<string, string>): Promise<string> {
  const program = fileURLToPath(new URL(`${name}.mjs`, FOLDER));
  const child = spawn(nodePath(), [program], {
    env: { PATH: process.env["PATH"], WEBHOOK_SECRET: SECRET, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [address, errors] = ["", ""];
  child.stdout.on("data", (data) => (address += String(data)));
  child.stderr.on("data", (data) => (errors += String(data)));
  child.once("exit", (code) => (errors += `It ended with ${code}.`));
  await expect.poll(() => address || errors).toMatch(/^http\S+\n/);
  return address.trim();
}

/** Sends an event as Hushkit does; answers the status. */
async function send(
  url: string,
  {
    id = String(crypto.randomUUID()),
    at = new Date(),
    secret = SECRET,
    event = { ...EVENT, data: DATA } as object,
  } = {},
): Promise<number> {
  const body = JSON.stringify(event);
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  return (await fetch(url, { method: "POST", body, headers })).status;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Stands in for a service, which writes down its calls. */
async function startService(answer: (count: number) => number = () => 200) {
  const calls: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    const { method = "", url: path = "", headers } = request;
    response.writeHead(answer(calls.push({ method, path, headers, body }) - 1)).end("ok");
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, calls };
}

describe("the receiver for", () => {
  test("Slack posts a text as an incoming webhook takes it", async () => {
    const slack = await startService();
    const url = await startExample("slack", { SLACK_URL: `${slack.url}/services/T0/B0/x` });
    expect(await send(url)).toBe(204);
    expect(slack.calls).toMatchObject([{ method: "POST", path: "/services/T0/B0/x" }]);
    expect(slack.calls[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(slack.calls[0]?.body ?? "")).toEqual({ text: SENTENCE });
  });

  test("Teams posts a message with one Adaptive Card", async () => {
    const teams = await startService(() => 202);
    const url = await startExample("teams", { TEAMS_URL: `${teams.url}/workflows/x?sig=y` });
    expect(await send(url)).toBe(204);
    expect(teams.calls).toMatchObject([{ method: "POST", path: "/workflows/x?sig=y" }]);
    expect(JSON.parse(teams.calls[0]?.body ?? "")).toEqual({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            ...{ type: "AdaptiveCard", version: "1.4" },
            body: [{ type: "TextBlock", text: SENTENCE, wrap: true }],
          },
        },
      ],
    });
  });

  test("ntfy publishes to the topic, with a token where there is one", async () => {
    const ntfy = await startService();
    const url = await startExample("ntfy", { NTFY_URL: `${ntfy.url}/hushkit`, NTFY_TOKEN: "tk_a" });
    expect(await send(url)).toBe(204);
    expect(await send(url, { event: { ...EVENT, type: "secret.locked", data: DATA } })).toBe(204);
    const locked = "The text mC9AJhLie1PsMHNx was deleted after ten wrong passphrases.";
    const shown = ntfy.calls.map(({ path, body, headers }) => [
      path,
      body,
      headers["priority"],
      headers["tags"],
    ]);
    expect(shown).toEqual([
      ["/hushkit", SENTENCE, "3", "lock"],
      ["/hushkit", locked, "4", "warning"],
    ]);
    expect(ntfy.calls[0]?.headers).toMatchObject({ title: "Hushkit", authorization: "Bearer tk_a" });
  });

  const addresses = { MAIL_FROM: "hushkit@acme.example", MAIL_TO: "ops@acme.example" };

  test("mail hands one to a relay", async () => {
    const relay = startRelay();
    const port = await listen(createSocket(relay.serve));
    const url = await startExample("mail", { SMTP_URL: `smtp://127.0.0.1:${port}`, ...addresses });
    expect(await send(url)).toBe(204);
    await expect.poll(() => relay.commands.at(-1)).toBe("QUIT");
    expect(relay.commands).toEqual([
      expect.stringMatching(/^EHLO [\w.-]+$/),
      ...["MAIL FROM:<hushkit@acme.example>", "RCPT TO:<ops@acme.example>", "DATA", "QUIT"],
    ]);
    const [head = "", text] = relay.mail.join("\r\n").split("\r\n\r\n");
    expect(text).toBe(SENTENCE);
    const names = head.split("\r\n").map((line) => /^([\w-]+): ./.exec(line)?.[1]);
    // What RFC 5322 wants of every mail is among them.
    expect(names).toEqual(expect.arrayContaining(["From", "To", "Subject", "Date", "Message-ID"]));
    expect(names).not.toContain(undefined);
    expect(head).toContain(`Subject: ${SENTENCE}`);
  });

  test("members sends each a mail of their own hook, whose test call comes before its secret is known", async () => {
    const relay = startRelay();
    const port = await listen(createSocket(relay.serve));
    const file = join(makeTempFolder(), "members.json");
    const { MAIL_FROM } = addresses;
    const env = { MAIL_FROM, SMTP_URL: `smtp://127.0.0.1:${port}`, MEMBERS_FILE: file, WEBHOOK_SECRET: "" };
    writeFileSync(file, JSON.stringify({ ann: { to: "ann@acme.example" } }));
    const url = await startExample("member-mail", env);
    const made = { ...EVENT, type: "hook.created", data: DATA };
    expect(await send(`${url}/ann`, { event: made })).toBe(204);
    expect([await send(`${url}/ann`), await send(`${url}/ben`, { event: made })]).toEqual([401, 404]);
    writeFileSync(file, JSON.stringify({ ann: { to: "ann@acme.example", secret: SECRET } }));
    expect(await send(`${url}/ann`, { secret: `whsec_${Buffer.alloc(32).toString("base64")}` })).toBe(401);
    expect([await send(`${url}/ann`), relay.commands]).toEqual([
      204,
      expect.arrayContaining(["RCPT TO:<ann@acme.example>"]),
    ]);
    expect(relay.mail.at(-1)).toBe(SENTENCE);
  });

  test("mail has the event sent again where the relay refuses it", async () => {
    const relay = startRelay({ recipient: "550 5.1.1 no such user" });
    const port = await listen(createSocket(relay.serve));
    const url = await startExample("mail", { SMTP_URL: `smtp://127.0.0.1:${port}`, ...addresses });
    expect([await send(url), relay.mail]).toEqual([502, []]);
  });

  testWith("openssl")("mail logs in at a relay over TLS", async () => {
    const folder = makeTempFolder();
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost`;
    execFileSync("openssl", [...made.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
    const relay = startRelay();
    const tls = createTls({ key: readFileSync(key), cert: readFileSync(cert) }, relay.serve);
    const smtp = `smtps://ann%40acme:p%C3%A4ss@localhost:${await listen(tls)}`;
    const trust = { NODE_EXTRA_CA_CERTS: cert };
    expect(await send(await startExample("mail", { SMTP_URL: smtp, ...addresses, ...trust }))).toBe(204);
    const login = Buffer.from("\0ann@acme\0päss").toString("base64");
    expect(relay.commands[1]).toBe(`AUTH PLAIN ${login}`);
    const distrusting = await startExample("mail", { SMTP_URL: smtp, ...addresses });
    expect(await send(distrusting)).toBe(502);
  });
});

/** Stands in for a relay (RFC 5321), which writes down what it is told. */
function startRelay({ recipient = "250 2.1.5 ok" } = {}) {
  const [commands, mail] = [[] as string[], [] as string[]];
  const serve = (socket: Socket) => {
    let [isMail, text] = [false, ""];
    const answer = (line: string): string => {
      const [verb = ""] = line.split(/[ :]/);
      commands.push(line);
      if (verb === "DATA") isMail = true;
      const answers: Record<string, string> = {
        ...{ EHLO: "250-relay greets you\r\n250-AUTH PLAIN\r\n250 8BITMIME", AUTH: "235 2.7.0 ok" },
        ...{ MAIL: "250 2.1.0 ok", RCPT: recipient, DATA: "354 go on", QUIT: "221 bye" },
      };
      return answers[verb] ?? "500 what?";
    };
    socket.write("220 relay ESMTP\r\n");
    socket.on("error", () => {});
    socket.on("data", (data) => {
      text += String(data);
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (!isMail) socket.write(`${answer(line)}\r\n`);
        else if (line !== ".") mail.push(line);
        else {
          isMail = false;
          socket.write("250 2.0.0 queued\r\n");
        }
      }
    });
  };
  return { commands, mail, serve };
}

describe("every receiver", () => {
  test("refuses what is not signed by Hushkit, or is old", async () => {
    const service = await startService();
    const url = await startExample("slack", { SLACK_URL: service.url });
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    expect(await send(url, { secret: other })).toBe(401);
    expect(await send(url, { at: new Date(Date.now() - 301_000) })).toBe(401);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: "POST", body: "x".repeat(65_537) })).status).toBe(502);
    expect(service.calls).toEqual([]);
  });

  test("tells an event once, after the service has taken it, and only those that are wanted", async () => {
    const service = await startService((count) => (count === 0 ? 429 : 200));
    const env = { SLACK_URL: service.url, EVENTS: "secret.revealed,secret.locked" };
    const url = await startExample("slack", env);
    const statuses = [
      await send(url, { id: "a" }),
      await send(url, { id: "a" }),
      await send(url, { id: "a" }),
    ];
    expect([statuses, service.calls.length]).toEqual([[502, 204, 204], 2]);
    expect(await send(url, { event: { ...EVENT, type: "secret.created", data: DATA } })).toBe(204);
    expect(service.calls).toHaveLength(2);
  });

  test("has a sentence for every event that is documented", () => {
    const guide = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
    const names = [...guide.matchAll(/`((?:secret|request|account|token)\.[a-z_]+)`/g)].map(
      ([, name]) => name,
    );
    const source = readFileSync(new URL("receive.mjs", FOLDER), "utf8");
    expect(names.length).toBeGreaterThanOrEqual(16);
    expect(names.filter((name) => !source.includes(`"${name}": (`))).toEqual([]);
  });

  test.each(["slack", "teams", "ntfy", "mail"])("%s says which setting is missing", async (name) => {
    const program = fileURLToPath(new URL(`${name}.mjs`, FOLDER));
    const child = spawn(nodePath(), [program], { env: { WEBHOOK_SECRET: SECRET } });
    onTestFinished(() => void child.kill("SIGKILL"));
    let errors = "";
    child.stderr.on("data", (data) => (errors += String(data)));
    const [code] = (await once(child, "close")) as [number];
    expect([code, errors]).toEqual([1, expect.stringContaining(" is not set.")]);
  });
});
