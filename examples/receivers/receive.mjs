// What every receiver here does: it takes the events of docs/webhooks.md, refuses what is not signed (Standard Webhooks
// 1.0), and says each in a sentence. Node alone is enough. WEBHOOK_SECRET is the one of Hushkit; PORT is 4000 where
// nothing is said, and HOST 127.0.0.1.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { WEBHOOK_SECRET = "", PORT = "4000", HOST = "127.0.0.1" } = process.env;
/** Comma-separated events to tell of; all of them where nothing is said. */
const EVENTS = process.env.EVENTS?.split(",");
const TOLERANCE_SECONDS = 300;
const MAX_BODY = 65_536;
/** An event may come twice. */
const REMEMBERED = 10_000;

const SENTENCES = {
  "secret.created": (id, kind) => `A ${kind} was stored to be read once: ${id}.`,
  "secret.revealed": (id, kind) => `The ${kind} ${id} was opened.`,
  "secret.revoked": (id, kind) => `The ${kind} ${id} was deleted by its sender.`,
  "secret.expired": (id, kind) => `The ${kind} ${id} has expired unread.`,
  "secret.locked": (id, kind) => `The ${kind} ${id} was deleted after ten wrong passphrases.`,
  "request.created": (id) => `A secret was asked for: ${id}.`,
  "request.answered": (id) => `The request ${id} was answered.`,
  "request.collected": (id) => `The answer to ${id} was collected.`,
  "request.cancelled": (id) => `The request ${id} was cancelled.`,
  "request.expired": (id) => `The request ${id} has expired.`,
  "account.created": (id) => `The account ${id} was made.`,
  "account.deleted": (id) => `The account ${id} was deleted.`,
  "account.login": (id) => `Somebody has logged in to the account ${id}.`,
  "account.login_failed": () => "A login has failed.",
  "token.created": (id) => `An API token was made: ${id}.`,
  "hook.created": () => "From now on Hushkit tells here what becomes of what you share.",
  "token.revoked": (id) => `The API token ${id} was revoked.`,
};

/** The sentence of an event; a later version may have events that this one does not know. */
function describe({ type, data: { id, kind } }) {
  const sentence = SENTENCES[type]?.(id, kind) ?? `${type}: ${id}.`;
  // Some services take it as a header.
  return sentence.replace(/[^\x20-\x7e]/g, "");
}

/** Whether a body is from Hushkit, and from now. */
function isSigned(body, headers, secret) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const right = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(" ").some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ""), "base64");
    return each.startsWith("v1,") && given.length === right.length && timingSafeEqual(given, right);
  });
}

async function read(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    if ((size += part.length) > MAX_BODY) throw new Error("The body is too long");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The operator's one receiver, whatever the path. */
function theOperator() {
  if (!WEBHOOK_SECRET) throw new Error("WEBHOOK_SECRET must be the one that Hushkit has.");
  return { secret: WEBHOOK_SECRET };
}

/**
 * Listens, and has each event told by `tell(sentence, event, who)`; what that throws makes Hushkit send the event again
 * later. `find(path)` says who is told at a path, with the secret of that hook, or undefined for nobody.
 */
export function receive(tell, find = theOperator) {
  if (find === theOperator) theOperator();
  const told = new Set();

  async function handle(request) {
    if (request.method !== "POST") return 405;
    const body = await read(request);
    const who = find(new URL(request.url, "http://localhost").pathname);
    if (!who) return 404;
    // The call that tests a new hook comes before anybody can know its secret.
    if (!who.secret) return JSON.parse(body.toString()).type === "hook.created" ? 204 : 401;
    if (!isSigned(body, request.headers, who.secret)) return 401;
    const [event, id] = [JSON.parse(body.toString()), request.headers["webhook-id"]];
    if (told.has(id) || (EVENTS && !EVENTS.includes(event.type))) return 204;
    await tell(describe(event), event, who);
    told.add(id);
    if (told.size > REMEMBERED) told.delete(told.values().next().value);
    return 204;
  }

  const server = createServer((request, response) => {
    const answer = (status) => response.writeHead(status).end();
    handle(request).then(answer, (error) => {
      console.error(error.message);
      answer(502);
    });
  });
  server.listen(Number(PORT), HOST, () => console.log(`http://${HOST}:${server.address().port}`));
}

/** A setting without which there is nowhere to send to. */
export function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}

/** Makes a call, which must be taken. */
export async function post(url, { body, headers = {} }) {
  const response = await fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(10_000) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
}
