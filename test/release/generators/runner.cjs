// Runs js/calls.js of the folder it is started in, with the samples of its argument, and prints what was called.
const { join } = require("node:path");
const { base, address, name, pdf, png, gate, answer, hook } = JSON.parse(process.argv[1]);
const file = (base64) => new File([Buffer.from(base64, "base64")], "sample");
Object.assign(globalThis, {
  base,
  name,
  files: { pdf: file(pdf), png: file(png), base64: pdf, gate, answer, hook },
});

const send = globalThis.fetch;
let cookie = "";
let token = "";
globalThis.fetch = async (input, init) => {
  const request = input instanceof Request ? input : new Request(new URL(input, base), init);
  const { pathname } = new URL(request.url);
  // Only a token may ask what it is.
  if (pathname.endsWith("/token")) request.headers.set("authorization", `Bearer ${token}`);
  // A login beside the session that there is, as on another machine.
  if (cookie !== "" && !pathname.endsWith("/login")) request.headers.set("cookie", cookie);
  request.headers.set("x-forwarded-for", address);
  // What a browser says of a request that no other site had a part in.
  request.headers.set("sec-fetch-site", "none");
  const response = await send(request);
  for (const set of response.headers.getSetCookie()) cookie = set.split(";")[0];
  if (cookie.endsWith("=")) cookie = "";
  if (pathname.endsWith("/tokens") && request.method === "POST") ({ token } = await response.clone().json());
  return response;
};

require(join(process.cwd(), "js", "calls.js"))
  .calls()
  .then((done) => process.stdout.write(JSON.stringify(done)));
