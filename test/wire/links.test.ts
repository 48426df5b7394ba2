import { expect, test } from "vitest";
import { parseLink, parseRequestLink, requestLinks } from "../../wire/links.ts";

const ID = "q7Zk2PfW0LxT8nBy";
const KEY = "3mJrV9aQeXcT5uWzHs0KdL";
const INNER = "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8Nn7Mm6L";
const TOKEN = "t".repeat(32);
const PUBLIC = "_-".repeat(21) + "A";
const HOST = "https://hush.example/base";
const whole = { is: "complete", link: { server: HOST, id: ID, key: KEY, inner: INNER } };

test.each([
  `${HOST}/s/${ID}#${KEY}.${INNER}`,
  `  ${HOST}/s/${ID}#${KEY}.${INNER}\n`,
  `${HOST}/s/${ID}%23${KEY}%2e${INNER}`,
  `${HOST}/s/${ID}?from=mail#${KEY}.${INNER}`,
  `here it is: ${HOST}/s/${ID}#${KEY}.${INNER}.`,
  `${HOST}/s/${ID}#${KEY}.${INNER}), as promised`,
])("reads the link %j", (text) => {
  expect(parseLink(text)).toEqual(whole);
});

test("reads a link whose key alone opens it", () => {
  expect(parseLink(`/s/${ID}#${KEY}`)).toEqual({
    is: "complete",
    link: { server: "", id: ID, key: KEY, inner: undefined },
  });
});

test.each([
  `${HOST}/s/${ID}`,
  `${HOST}/s/${ID}#`,
  `${HOST}/s/${ID}#${KEY.slice(1)}`,
  `${HOST}/s/${ID}#${KEY}.`,
  `${HOST}/s/${ID}#${KEY}.${INNER.slice(1)}`,
  `${HOST}/s/${ID}#${KEY}.${INNER}0`,
])("tells that %j was cut", (text) => {
  expect(parseLink(text)).toEqual({ is: "incomplete", id: ID });
});

test.each(["", "hunter2", `${HOST}/r/${ID}#${PUBLIC}`, `${HOST}/s/${ID}#${KEY}.${INNER}-more`])(
  "takes %j for no link to a secret",
  (text) => {
    expect(parseLink(text)).toEqual({ is: "none" });
  },
);

test("writes and reads the two links of a request", () => {
  const made = { url: `${HOST}/r/${ID}`, publicKey: PUBLIC, collectToken: TOKEN, privateKey: PUBLIC };
  const { answer, collect } = requestLinks(made);
  expect([answer, collect]).toEqual([
    `${HOST}/r/${ID}#${PUBLIC}`,
    `${HOST}/r/${ID}/collect#${TOKEN}.${PUBLIC}`,
  ]);
  const at = { server: HOST, id: ID };
  expect(parseRequestLink(`${answer}\n`)).toEqual({ is: "answer", link: { ...at, publicKey: PUBLIC } });
  const keys = { collectToken: TOKEN, privateKey: PUBLIC };
  expect(parseRequestLink(collect.replace("#", "%23"))).toEqual({
    is: "collect",
    link: { ...at, ...keys },
  });
  for (const cut of [answer.slice(0, -1), collect.slice(0, -1), `${HOST}/r/${ID}`, `${HOST}/r/${ID}/collect`])
    expect(parseRequestLink(cut)).toEqual({ is: "incomplete", id: ID });
  expect(parseRequestLink(`${HOST}/s/${ID}#${KEY}`)).toEqual({ is: "none" });
});
