// Examples for the document. They belong to nobody and open nothing.
const ID = "q7Zk2PfW0LxT8nBy";
const KEY = "3mJrV9aQeXcT5uWzHs0KdL";
const TOKEN = "5xG0rNhS8vLcQ2eWfYk7ZbJt1UdMpA4i";
const BASE64URL = "J-SSF_KnrBkBQz4KjA5AUr3VCslbOjvK7o0EHK84LUA";
const CONTENT = "The password of the guest network is hunter2";
const TOTP_KEY = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const [TIME, LATER] = ["2026-11-25T02:12:09.000Z", "2026-11-26T02:12:09.000Z"];

/** For procedures whose meta names an example for a field. */
export const EXAMPLE = {
  content: CONTENT,
  gate: BASE64URL,
  events: `event: message\ndata: {"id":"${ID}","status":"active","closed":null}\n\nevent: done\ndata: null\n\n`,
  requestEvents: `event: message\ndata: {"id":"${ID}","status":"open","closed":null}\n\nevent: done\ndata: null\n\n`,
  generated: "nQ4vT7mWc2RkZ8sLx5Bd",
  key: KEY,
  link: `https://hush.example/s/${ID}#${KEY}`,
  passkey: { id: BASE64URL, type: "public-key", response: {} },
  password: "correct horse battery staple",
  requestLink: `https://hush.example/r/${ID}`,
  sealedAnswer: `r1.${"A".repeat(60)}`,
  sha256: SHA256,
  time: TIME,
  totpCode: "492039",
  version: "1.0.0",
} as const;

/** By the name of a field: a name means the same everywhere, so most fields need no more than this. */
export const EXAMPLES_BY_NAME: Readonly<Record<string, unknown>> = {
  id: ID,
  key: KEY,
  url: EXAMPLE.link,
  revokeToken: TOKEN,
  collectToken: TOKEN,
  ticket: TOKEN,
  gate: BASE64URL,
  content: CONTENT,
  length: CONTENT.length,
  size: 48_211,
  sizeBefore: 96_422,
  pages: 12,
  count: 1,
  created: TIME,
  lastUsed: TIME,
  expiry: LATER,
  name: "ann",
  password: EXAMPLE.password,
  newPassword: "another horse battery staple",
  recoveryCode: "K7QW-M3ZD-PX4C-7TFH-2RVB-6JNY-KD",
  code: EXAMPLE.totpCode,
  prefix: "service_token_012345",
  host: "ntfy.sh",
  hosts: ["ntfy.sh", "hooks.slack.com"],
  challenge: BASE64URL,
  warnings: [],
  removed: [],
  token: "service_token_0123456789ABCDEFGHIJKLMNOPQRSTUV4OZVgp",
  secret: TOTP_KEY,
  uri: `otpauth://totp/Hushkit:ann?secret=${TOTP_KEY}&issuer=Hushkit`,
  file: "(the bytes of the file)",
  "file[]": "(the bytes of a file)",
  filename: "report.pdf",
  data: "JVBERi0xLjcK",
  a: "one\ntwo\n",
  b: "one\nthree\n",
  rotated: 12,
  images: 3,
  width: 1200,
  height: 800,
  sha256: SHA256,
  sourceFormat: "png",
  provider: "ACME",
  requestId: "0d9c7c1e-7a43-4a0c-9a52-ceb706dcf46a",
};
