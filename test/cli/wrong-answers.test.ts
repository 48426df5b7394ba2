import { expect, test } from "vitest";
import { makeAskerKeys, writeLinkKey } from "../../tools/crypto/request-seal.ts";
import { withServer } from "../support/with-server.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();
const ID = "0".repeat(16);
const LINK = `http://hushkit.test/s/${ID}#${"0".repeat(22)}.${"0".repeat(43)}`;
const { publicKey, privateKey } = await makeAskerKeys();
const ANSWER_LINK = `http://hushkit.test/r/${ID}#${writeLinkKey(publicKey)}`;
const COLLECT_LINK = `http://hushkit.test/r/${ID}/collect#${"A".repeat(32)}.${writeLinkKey(privateKey)}`;

const COMMANDS = [
  ["send"],
  ["send", "--json"],
  ["send", "a.bin"],
  ["open", LINK],
  ["status", LINK],
  ["status", COLLECT_LINK],
  ["revoke", `${ID}.${"A".repeat(32)}`],
  ["revoke", COLLECT_LINK],
  ["ask"],
  ["answer", ANSWER_LINK],
  ["collect", COLLECT_LINK],
  ["close", COLLECT_LINK],
  ["list"],
  ["list", "--requests"],
  ["login", "--name", "ann"],
  ["token", "create", "x", "--name", "ann"],
  ["hook", "list", "--name", "ann"],
  ["diff", "a.txt", "b.txt", "--server"],
];

const MANY = "http://evil.test/s/1#2\n-o\nx";

/** Each answers a call by RPC, in a batch of one, or by REST. */
function shellBefore(answer: { data?: unknown } | { error: object }, status = 200) {
  const shell = openShell({
    ...service,
    request: async (path) => {
      const headers = { "content-type": "application/json", "request-id": crypto.randomUUID() };
      const isRpc = path.startsWith("/trpc");
      const alone = "error" in answer ? answer.error : (answer.data ?? null);
      const rpc =
        "error" in answer ? { error: { message: "", code: -32000, data: alone } } : { result: answer };
      return new Response(JSON.stringify(isRpc ? [rpc] : alone), { status, headers });
    },
  });
  for (const name of ["a.bin", "a.txt", "b.txt"]) shell.put(name, name);
  return shell;
}

test.each([
  ["nothing", {}],
  ["null", { data: null }],
  ["a list", { data: [] }],
  ["an object of another kind", { data: { ok: true } }],
  [
    "values of other types",
    {
      data: {
        ...{ id: {}, url: 5, expiry: 7, status: 9, closed: {}, content: 5, limits: null, secrets: "x" },
        ...{
          requests: [null],
          collectToken: [],
          revokeToken: 1,
          token: 4,
          name: [],
          hooks: 1,
          identical: "x",
        },
      },
    },
  ],
] as const)("commands take no answer that is %s", async (_, answer) => {
  for (const args of COMMANDS)
    expect(
      await shellBefore(answer).run(args, {
        stdin: "hush",
        fd3: "secret",
        env: { HUSHKIT_PASSWORD: "secret" },
      }),
      args.join(" "),
    ).toMatchObject({
      code: 6,
      out: "",
      err: expect.stringMatching(/^hushkit: .* answered 200 with .*another service/),
    });
});

test("links, ids and tokens that scripts would take for several are not printed", async () => {
  const row = { id: MANY, status: "active", created: "a", expiry: "a", closed: null };
  const made = {
    id: "a",
    url: "a",
    expiry: "a",
    revokeToken: "a",
    collectToken: "a",
    ...{ secrets: [row], next: null },
  };
  for (const [args, data] of [
    [["send"], { ...made, url: MANY }],
    [["send", "a.bin"], { ...made, url: MANY }],
    [["send", "--csv"], { ...made, id: "a,b" }],
    [["ask"], { ...made, collectToken: "\u001b[2J" }],
    [["list"], made],
  ] as const) {
    const ended = await shellBefore({ data }).run(args, { stdin: "hush", env: { HUSHKIT_TOKEN: "t" } });
    expect(ended).toMatchObject({ code: 6, err: expect.stringContaining("another service") });
    expect(ended.out).not.toMatch(/evil|a,b/);
  }
});

test("fields and states of a later version are no fault", async () => {
  const data = { kind: "folder", status: "paused", expiry: "2030-01-01T00:00:00Z", closed: null, more: [1] };
  const shell = shellBefore({ data: { ...data, isEncrypted: true, hasPassphrase: false } });
  expect(await shell.run(["status", LINK])).toMatchObject({
    code: 3,
    out: "paused until 2030-01-01T00:00:00Z\n",
    err: "",
  });
});

test.each([
  ["without a sentence", { code: "teapot", requestId: "r" }],
  ["of other types", { code: 5, requestId: null, error: { a: 1 }, status: "x" }],
])("an error %s is not the server's", async (_, error) => {
  for (const args of [["send"], ["send", "a.bin"], ["collect", COLLECT_LINK]])
    expect(await shellBefore({ error }, 422).run(args, { stdin: "hush" }), args.join(" ")).toMatchObject({
      code: 6,
      out: "",
      err: expect.stringContaining("answered 422 with application/json"),
    });
});

test("an error of a later version is told in its words", async () => {
  const error = { code: "teapot", requestId: "r", error: "This is a teapot", status: 418, cups: 2 };
  for (const args of [["send"], ["send", "a.bin"]])
    expect(await shellBefore({ error }, 418).run(args, { stdin: "hush" })).toMatchObject({
      code: 2,
      err: "hushkit: This is a teapot.\n",
    });
});

test.each([
  [200, ["list"]],
  [200, ["send", "a.bin"]],
  [200, ["verify", "http://hushkit.test"]],
  [500, ["list"]],
  [500, ["send", "a.bin"]],
  [500, ["verify", "http://hushkit.test"]],
])("stops reading a JSON answer with %i that never ends, of %j", async (status, args) => {
  const piece = new Uint8Array(2 ** 24).fill(0x20);
  let isCancelled = false;
  const shell = openShell({
    ...service,
    request: () => {
      const body = new ReadableStream({
        pull: (controller) => controller.enqueue(piece),
        cancel: () => void (isCancelled = true),
      });
      const headers = { "content-type": "application/json", "request-id": crypto.randomUUID() };
      return Promise.resolve(new Response(body, { status, headers }));
    },
  });
  shell.put("a.bin", "text");
  const { code, out, err } = await shell.run(args, { env: { HUSHKIT_TOKEN: "token" } });
  expect({ code, out }).toEqual({ code: 6, out: "" });
  expect(err).toContain(status === 200 ? "another service than Hushkit" : "answered 500");
  expect(isCancelled).toBe(true);
});
