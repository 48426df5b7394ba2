import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../client/client.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import { deriveRequestGate, makeAskerKeys, openAnswer, sealAnswer } from "../../tools/crypto/request-seal.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { makeBlankPdf } from "../support/samples.ts";
import type { Book, Read, Unread } from "./book.ts";

/** No call may take longer in any fault: ten seconds of waiting and one of work. */
const LONGEST_MS = 11_000;
const PATIENCE_MS = 60_000;
const RETRY_MS = 200;
const GIVE_UP_MS = 180_000;
const TEXT_BYTES = 10_000;
const FILE_BYTES = 600_000;
const LIFETIME = 86_400;

/** What a call meets: how to reach an instance that may be there, and the book. */
export interface World {
  readonly book: Book;
  readonly pickUrl: () => string;
}

interface Answer {
  readonly status: number;
  /** The session that it begins. */
  readonly cookie: string | undefined;
  readonly body: Buffer;
}

interface Sent {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call; undefined where the connection broke, so that nobody knows what became of it. */
async function call(world: World, { name, path, method, body, headers }: Sent): Promise<Answer | undefined> {
  const began = performance.now();
  const answer = await fetch(world.pickUrl() + path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    ...(body !== undefined && { body }),
    headers: { "x-forwarded-for": freshIp(), ...headers },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
    .then(async (response) => ({
      status: response.status,
      cookie: response.headers.get("set-cookie")?.split(";")[0],
      body: Buffer.from(await response.arrayBuffer()),
    }))
    .catch(() => undefined);
  const milliseconds = performance.now() - began;
  const said = answer ? String(answer.status) : "broken off";
  world.book.count(name, said, milliseconds);
  if (milliseconds > LONGEST_MS) world.book.violate(`${name} took ${Math.round(milliseconds)} ms (${said})`);
  if (answer && ![200, 201, 410, 503].includes(answer.status))
    world.book.violate(`${name} answered ${said}: ${answer.body.subarray(0, 300).toString("latin1")}`);
  return answer;
}

const JSON_BODY = { "content-type": "application/json" };

function post(name: string, path: string, body: object): Sent {
  return { name, path, body: JSON.stringify(body), headers: JSON_BODY };
}

function randomText(): string {
  return randomBytes(Math.ceil((Math.random() * TEXT_BYTES) / 2) + 1).toString("hex");
}

async function createText(world: World): Promise<void> {
  const content = randomText();
  note(world, {
    answer: await call(world, post("create", "/api/secrets", { content, expires: LIFETIME })),
    kind: "text",
    content: Buffer.from(content),
  });
}

async function createFile(world: World): Promise<void> {
  const content = randomBytes(Math.ceil(Math.random() * FILE_BYTES));
  const path = `/api/secrets/file?filename=a.bin&expires=${LIFETIME}`;
  note(world, {
    answer: await call(world, { name: "create file", path, body: content }),
    kind: "file",
    content,
  });
}

type Created = Pick<Unread, "kind" | "content"> & { answer: Answer | undefined };

// What is not acknowledged may be stored or not; its link is known to nobody.
function note({ book }: World, { answer, kind, content }: Created): void {
  if (answer?.status !== 201) return;
  const { id, key } = JSON.parse(answer.body.toString()) as { id: string; key: string };
  book.add({ id, key, kind, content });
}

/** Opens a secret with a ticket, as often as it takes: whoever has the ticket loses nothing by a broken answer. */
async function open(world: World, secret: Unread): Promise<"opened" | "gone"> {
  const ticket = randomBase62(32);
  for (const until = performance.now() + GIVE_UP_MS; performance.now() < until;) {
    const answer = await call(world, opening(secret, ticket));
    if (answer?.status === 410 || answer?.status === 404) return "gone";
    if (answer?.status === 200) {
      if (!contentOf(secret, answer.body).equals(secret.content))
        world.book.violate(`${secret.kind} ${secret.id} came changed`);
      if (Math.random() < 0.5)
        await call(
          world,
          post("received", `/api/secrets/${secret.id}/received`, { key: secret.key, ticket }),
        );
      return "opened";
    }
    await sleep(RETRY_MS);
  }
  world.book.violate(`${secret.kind} ${secret.id} could not be opened for ${GIVE_UP_MS / 1000} s`);
  return "gone";
}

function opening({ id, key, kind }: Read, ticket?: string): Sent {
  return post(
    kind === "text" ? "reveal" : "open file",
    `/api/secrets/${id}/${kind === "text" ? "reveal" : "file"}`,
    { key, ...(ticket !== undefined && { ticket }) },
  );
}

function contentOf({ kind }: Unread, body: Buffer): Buffer {
  return kind === "file" ? body : Buffer.from((JSON.parse(body.toString()) as { content: string }).content);
}

/** Opens one that is known to be unread: by one reader, or by two at the same time of whom one gets it. */
export async function openOne(world: World, readers = Math.random() < 0.2 ? 2 : 1): Promise<void> {
  const secret = world.book.takeUnread();
  if (!secret) return;
  const outcomes = await Promise.all(Array.from({ length: readers }, () => open(world, secret)));
  const opened = outcomes.filter((outcome) => outcome === "opened").length;
  if (opened !== 1) world.book.violate(`${secret.kind} ${secret.id} was opened by ${opened} of ${readers}`);
  world.book.addRead(secret);
}

async function openAgain(world: World): Promise<void> {
  const secret = world.book.pickRead();
  const answer = secret && (await call(world, { ...opening(secret), name: "open again" }));
  if (answer?.status === 200) world.book.violate(`${secret?.kind} ${secret?.id} was opened twice`);
}

/** Asks, answers and collects; what breaks is asked again, and only the ticket's holder may collect twice. */
async function askAndCollect(world: World): Promise<void> {
  const keys = await makeAskerKeys();
  const gate = deriveRequestGate(keys.publicKey);
  const asked = await call(world, post("ask", "/api/requests", { gate, expires: LIFETIME }));
  if (asked?.status !== 201) return;
  const { id, collectToken } = JSON.parse(asked.body.toString()) as { id: string; collectToken: string };
  const text = randomText();
  const content = await sealAnswer(text, { publicKey: keys.publicKey, requestId: id });
  // 410 where an answer before it arrived and its acknowledgement did not.
  const answer = post("answer", `/api/requests/${id}/answer`, { gate, content });
  if (!(await insist(world, answer, [200, 201, 410]))) return world.book.violate(`no answer for ${id}`);
  const collect = { collectToken, ticket: randomBase62(32) };
  const collected = await insist(world, post("collect", `/api/requests/${id}/collect`, collect), [200]);
  if (!collected) return world.book.violate(`request ${id} could not be collected`);
  const answered = (JSON.parse(collected.body.toString()) as { content: string }).content;
  const opened = await openAnswer(answered, { privateKey: keys.privateKey, requestId: id });
  if (opened !== text) world.book.violate(`the answer of ${id} came changed`);
  const again = post("collect again", `/api/requests/${id}/collect`, { collectToken });
  if ((await call(world, again))?.status === 200) world.book.violate(`${id} was collected twice`);
}

/** Calls again until the answer is one of these; undefined where that does not come. */
async function insist(world: World, sent: Sent, statuses: readonly number[]): Promise<Answer | undefined> {
  for (const until = performance.now() + GIVE_UP_MS; performance.now() < until;) {
    const answer = await call(world, sent);
    if (answer && statuses.includes(answer.status)) return answer;
    await sleep(RETRY_MS);
  }
  return undefined;
}

/** A member who comes, makes a secret and a token, looks at the list, revokes and goes. */
async function beMember(world: World): Promise<void> {
  const name = `member-${randomBase62(16).toLowerCase()}`;
  const registered = await call(
    world,
    post("register", "/api/account/register", { name, password: randomBase62(20) }),
  );
  const cookie = registered?.cookie;
  if (registered?.status !== 201 || !cookie) return;
  const as = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, cookie } });
  const created = await call(world, as(post("create as a member", "/api/secrets", { content: "hush" })));
  const listed = await call(world, as({ name: "list", path: "/api/users/me/secrets?limit=50" }));
  if (created?.status === 201 && listed?.status === 200) {
    const { id } = JSON.parse(created.body.toString()) as { id: string };
    const { secrets } = JSON.parse(listed.body.toString()) as { secrets: readonly { id: string }[] };
    if (!secrets.some((secret) => secret.id === id))
      world.book.violate(`${id} is missing in its owner's list`);
    await call(world, as({ name: "revoke", path: `/api/secrets/${id}`, method: "DELETE" }));
  }
  await call(world, as(post("make a token", "/api/users/me/tokens", { name: "soak" })));
}

/** The same by the typed client, whose calls are counted by it alone. */
async function callTyped(world: World): Promise<void> {
  const client = createClient(world.pickUrl(), { headers: { "x-forwarded-for": freshIp() } });
  const content = randomText();
  const made = await client.secrets.create.mutate({ content, expires: LIFETIME }).catch(() => undefined);
  world.book.count("typed create", made ? "done" : "failed", 0);
  if (made) world.book.add({ ...made, kind: "text", content: Buffer.from(content) });
}

const pdf = makeBlankPdf([100, 200, 300]);

const WORK: readonly (readonly [share: number, work: (world: World) => Promise<unknown>])[] = [
  [30, createText],
  [5, createFile],
  [30, openOne],
  [10, openAgain],
  [5, (world) => call(world, post("password", "/api/tools/password", {}))],
  [5, (world) => call(world, { name: "hash", path: "/api/tools/file-hash", body: randomBytes(50_000) })],
  [
    5,
    async (world) => call(world, { name: "rotate", path: "/api/tools/pdf-rotate?angle=90", body: await pdf }),
  ],
  [5, (world) => call(world, post("compare", "/api/tools/text-compare", { a: "a\nb\n", b: "a\nc\n" }))],
  [5, askAndCollect],
  [2, beMember],
  [5, callTyped],
  [3, (world) => call(world, { name: "catalogue", path: "/api/tools" })],
  [2, (world) => call(world, { name: "page", path: "/", headers: { accept: "text/html" } })],
];
const SHARES = WORK.reduce((sum, [share]) => sum + share, 0);

/** One call of those that people make, as often as its share. */
export async function workOnce(world: World): Promise<void> {
  let left = Math.random() * SHARES;
  const [, work] = WORK.find(([share]) => (left -= share) < 0) ?? [];
  await work?.(world);
}
