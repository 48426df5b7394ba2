import { expect, test } from "vitest";
import { unwrapLink } from "../../wire/links/wrapped-links.ts";
import { parseLink, parseRequestLink, requestLinks } from "../../wire/links/links.ts";
import { processorMs } from "../machine/processor.ts";

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
  `<${HOST}/s/${ID}#${KEY}.${INNER}>`,
  `[${HOST}/s/${ID}#${KEY}.${INNER}]`,
  `“${HOST}/s/${ID}#${KEY}.${INNER}”。`,
  `${HOST}/s/${ID}/#${KEY}.${INNER}`,
  `${HOST}/s/${ID}/?utm_source=mail&utm_medium=x#${KEY}.${INNER}`,
  `${HOST}/s/${ID}?utm_source=mail%23${KEY}.${INNER}`,
  `${HOST}/s/${ID}#${KEY}.${INNER}?utm_source=chat`,
  `${HOST}/s/${ID}#${KEY}.${INNER}&utm_source=chat`,
  `${HOST}/s/${ID}%2523${KEY}%252E${INNER}`,
  `${HOST}/s/${ID}%252523${KEY}.${INNER}%20`,
  `\u200b${HOST}/s/${ID}#${KEY}\u200b.${INNER}\ufeff`,
  `${HOST}/s/${ID}#${KEY}.${INNER}%E2%80%8B%3E`,
])("reads the link %j", (text) => {
  expect(parseLink(text)).toEqual(whole);
});

test.each([
  "x",
  "/",
  "?",
  "%",
  "https://",
  "/s/",
  "/s/a#",
  "https://h/?u=",
  "/v3/__",
  " ",
  "<",
  "\n",
  "/s/<",
  "=\n>https://",
])("looks through a megabyte of %j at once", async (part) => {
  const text = `https://h/${part.repeat(2 ** 20 / part.length)}x-`;
  const look = () => {
    expect([parseLink(text).is, parseRequestLink(text).is]).not.toContain("complete");
    expect(unwrapLink(text)).toBe(text);
  };
  // Some milliseconds; tried from every letter, it would be hours.
  expect(await processorMs(look)).toBeLessThan(5_000);
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

test.each([
  "",
  "hunter2",
  `${HOST}/r/${ID}#${PUBLIC}`,
  `${HOST}/s/${ID}#${KEY}.${INNER}-more`,
  `${HOST}/s/${ID}#${KEY}%20.${INNER}`,
  `${HOST}/s/${ID}#${KEY}&${INNER}`,
])("takes %j for no link to a secret", (text) => {
  expect(parseLink(text)).toEqual({ is: "none" });
});

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

const LINK = `${HOST}/s/${ID}#${KEY}.${INNER}`;
const encoded = encodeURIComponent(LINK);

test.each([
  `https://eur01.safelinks.protection.outlook.com/?url=${encoded}&data=05%7C02%7Cx%40hush.example%7C&sdata=x%3D&reserved=0`,
  `https://urldefense.proofpoint.com/v2/url?u=${LINK.replaceAll("-", "-2D").replaceAll(":", "-3A").replaceAll("#", "-23").replaceAll("/", "_")}&d=DwMFaQ&c=euG`,
  `https://urldefense.com/v3/__${LINK.replace("#", "*")}__;Iw!!ABCdef!x_y-z$`,
  `https://urldefense.com/v3/__${LINK.replace(`#${KEY.slice(0, 2)}`, "**B")}__;${btoa(`#${KEY.slice(0, 2)}`)}!!ABCdef!x_y-z$`,
  `https://linkprotect.cudasvc.com/url?a=${encoded.toLowerCase().replace(encodeURIComponent(LINK).toLowerCase(), encoded)}&c=E,1,x&typo=1`,
  `https://www.google.com/url?q=${LINK.replace("#", "%23")}&sa=D&source=editors`,
  `https://slack-redir.net/link?url=${encoded}`,
  `see https://a.safelinks.protection.outlook.com/?url=${encodeURIComponent(`https://b.example/l?x=1&u=${encoded}`)}&data=1 please`,
])("finds the link in %s", (text) => {
  expect(parseLink(unwrapLink(text))).toEqual(whole);
});

const [START, REST] = [LINK.slice(0, 60), LINK.slice(60)];

test.each([
  `<p>Here it is:<br><a href="${LINK}" target=_blank>open</a></p>`,
  `<a href=${LINK}>${LINK}</a>`,
  `<p>${LINK}</p><p>Thanks</p>`,
  `${HOST}/s/${ID}#${KEY}<wbr>.${INNER}`,
  `<a href="https://a.safelinks.protection.outlook.com/?url=${encoded}&amp;data=1">open</a>`,
  `&lt;${LINK}&gt;`,
  `[the secret](${LINK} "once")`,
  `[[${LINK}|the secret]]`,
  `[url]${LINK}[/url]`,
  `<${LINK}|the secret>`,
  `{"url":"${LINK}","length":12}`,
  `${LINK.replace("#", "\\#")}`,
  `\`${LINK}\`, please`,
  `See https://hush.example/about\nand ${START}\n${REST}\nThanks`,
  `${START}=\r\n${REST}`,
  `> ${START}\n>   ${REST}`,
  `<${START}\n${REST}>`,
  `${HOST}/s/${ID}\n#${KEY}.${INNER}`,
  `${HOST}/s/${ID}#${KEY}\n.${INNER}`,
  `${HOST}/s/${ID}#${KEY}.\r\n${INNER}`,
  `${HOST}/s\n/${ID}#${KEY}\n.${INNER.slice(0, 20)}\n${INNER.slice(20)}`,
])("finds the link that was pasted as %j", (text) => {
  expect(parseLink(unwrapLink(text))).toEqual(whole);
});

test("finds the links of a request in a wrapper too", () => {
  const collect = `${HOST}/r/${ID}/collect#${TOKEN}.${PUBLIC}`;
  const wrapped = `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(collect)}&data=05`;
  expect(parseRequestLink(unwrapLink(wrapped))).toMatchObject({
    is: "collect",
    link: { server: HOST, id: ID },
  });
});

test.each([
  LINK,
  `${LINK} and https://wrap.example/?url=${encoded}`,
  `${HOST}/s/${ID}?ref=1#${KEY}.${INNER}`,
  `https://wrap.example/?url=${encoded.slice(0, -1)}&data=1`,
  "https://urldefense.com/v3/__https://hush.example/s/x__;%!!$",
  // No length of base64.
  "https://urldefense.com/v3/__https://hush.example/s/a*b__;A!!x",
  "https://wrap.example/?url=%E0%A4%A",
  `${HOST}/s/${ID}#${KEY}".${INNER}`,
  `${START}\nThanks`,
  "hunter2",
])("leaves %j as it is", (text) => {
  expect(unwrapLink(text)).toBe(text);
});
