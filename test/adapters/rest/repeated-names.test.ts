// A name that occurs twice in an object of JSON is refused at every door: a parser would keep one of the values in silence.
import { initTRPC } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";
import { concatBytes, utf8 } from "../../../wire/bytes.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import type { Sent } from "../../support/harness.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

const JSON_TYPE = { "content-type": "application/json" };
const LONG = "x".repeat(600_000);

function frame(head: string): Uint8Array<ArrayBuffer> {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, utf8(head).length);
  return concatBytes(length, utf8(head));
}

const rest = (body: string): Sent => ({ body, headers: JSON_TYPE });
const framed = (head: string): Sent => ({ body: frame(head), headers: { "content-type": FRAME_TYPE } });

test.each<[path: string, name: string, Sent]>([
  ["/api/secrets", "content", rest('{"content":"a","content":"b"}')],
  ["/api/secrets", "content", rest('{"content":"a","cont\\u0065nt":"b"}')],
  ["/", "expires", rest('{"content":"a","expires":60,"expires":90}')],
  ["/api/secrets/abc/reveal", "key", rest('{"key":"a","key":"b"}')],
  ["/api/tools/password", "length", rest('{"length":12,"length":14}')],
  ["/api/tools/text-compare", "a", rest('{"a":"1","b":"2","a":"3"}')],
  ["/api/tools/text-compare", "a", rest(`{"a":"${LONG}","b":"2","a":"3"}`)],
  ["/api/tools/pdf-merge", "files[1].range", rest('{"files":[{},{"range":"1","data":"","range":"2"}]}')],
  ["/api/account/login", "name", rest('{"name":"ann","name":"bob","password":"long enough"}')],
  ["/trpc/secrets.create", "content", rest('{"content":"a","content":"b"}')],
  ["/trpc/secrets.create?batch=1", "content", rest('{"0":{"content":"a","content":"b"}}')],
  ["/trpc/secrets.create?batch=1", "0", rest('{"0":{"content":"a"},"0":{"content":"b"}}')],
  ["/trpc/tools.textCompare", "a", rest(`{"a":"${LONG}","b":"2","a":"3"}`)],
  ["/trpc/tools.textCompare", "b", framed('{"a":"1","b":"2","b":"3"}')],
  ["/trpc/tools.textCompare", "b", framed(`{"a":"${LONG}","b":"2","b":"3"}`)],
  ["/trpc/tools.fileHash", "expected", framed('{"expected":"1","file":{"$bytes":[0,0]},"expected":"2"}')],
])("%s refuses two of %s", async (path, parameter, sent) => {
  const response = await service.request(path, { method: "POST", ip: freshIp(), ...sent });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(
    `Parameter \\"${parameter}\\" is given more than once; give it once`,
  );
});

test("a bare text that looks like JSON is stored as it is", async () => {
  const body = '{"a":1,"a":2}';
  const response = await service.request("/", { method: "POST", body: utf8(body), ip: freshIp() });
  const { id, key } = (await response.json()) as { id: string; key: string };
  expect((await service.client().secrets.reveal.mutate({ id, key })).content).toBe(body);
});

test("any router's inputs are refused in the same way", async () => {
  const t = initTRPC.meta<AdapterMeta>().create();
  const { fetch } = createTrpcServer({
    createContext: () => ({}),
    router: t.router({
      echo: t.procedure
        .meta({ openapi: { method: "POST", path: "/echo" } })
        .input(z.looseObject({}))
        .mutation(({ input }) => input),
      ask: t.procedure.input(z.looseObject({})).query(({ input }) => input),
    }),
  });
  const post = async (path: string, body: string) =>
    (await fetch(new Request(`http://any.test${path}`, { method: "POST", body, headers: JSON_TYPE }))).json();
  for (const path of ["/echo", "/trpc/echo"]) {
    expect(JSON.stringify(await post(path, '{"a":1,"b":{"c":1,"c":2}}'))).toContain(
      `Parameter \\"b.c\\" is given more than once`,
    );
    const same = await post(path, '{"a":[{"b":1},{"b":1}],"b":{"a":"b","b":"a"}}');
    expect(JSON.stringify(same)).not.toContain("more than once");
  }
  const twice = encodeURIComponent('{"0":{"a":1,"a":2}}');
  for (const query of [`input=${encodeURIComponent('{"a":1,"a":2}')}`, `batch=1&input=${twice}`]) {
    const asked = await fetch(new Request(`http://any.test/trpc/ask?${query}`));
    expect(await asked.text()).toContain(`Parameter \\"a\\" is given more than once`);
  }
});
