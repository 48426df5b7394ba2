// slow
import { beforeAll, describe, expect, test } from "vitest";
import { makeAgeKeys } from "../../tools/age/keys.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();
let keys = { identity: "", recipient: "" };
beforeAll(async () => void (keys = await makeAgeKeys()));

const CONTENT = "for your eyes only";

interface Sent {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

function post(body: BodyInit, { query = {}, headers = {} }: Sent) {
  const path = `/api/tools/file-encrypt?${new URLSearchParams(query)}`;
  return service.request(path, { method: "POST", body, headers });
}

describe("over REST", () => {
  test("locks for recipients and opens with an identity in a header", async () => {
    const locked = await post(CONTENT, { query: { recipients: keys.recipient, filename: "tax.pdf" } });
    expect(locked.headers.get("content-disposition")).toBe('attachment; filename="tax.pdf.age"');
    const file = await locked.arrayBuffer();
    expect(new TextDecoder().decode(file.slice(0, 21))).toBe("age-encryption.org/v1");
    const headers = { "tool-identities": encodeURIComponent(`# mine\n${keys.identity}\n`) };
    const query = { direction: "unlock", filename: "tax.pdf.age" };
    const opened = await post(file, { query, headers });
    expect(opened.headers.get("content-disposition")).toBe('attachment; filename="tax.pdf"');
    expect(await opened.text()).toBe(CONTENT);
  });

  test("locks with a passphrase as text, and tells the format in the envelope", async () => {
    const query = { format: "age", armor: "true" };
    const headers = { "tool-password": "p" };
    const locked = await post(CONTENT, { query, headers });
    const text = await locked.text();
    expect(text).toMatch(/^-----BEGIN AGE/);
    const json = { ...headers, accept: "application/json" };
    const opened = await (await post(text, { query: { direction: "unlock" }, headers: json })).json();
    expect(opened).toMatchObject({
      format: "age",
      direction: "unlock",
      data: btoa(CONTENT),
      name: "unlocked.bin",
    });
    expect(opened).not.toHaveProperty("iterations");
    const wrong = await post(text, { query: { direction: "unlock" }, headers: { "tool-password": "q" } });
    expect(await wrong.json()).toMatchObject({ status: 422, code: "password_wrong", passwordNeeded: true });
  });

  test("takes the keys from a form too", async () => {
    const form = new FormData();
    form.set("file", new File([CONTENT], "a.txt"));
    form.set("recipients", `${keys.recipient}\n${keys.recipient}`);
    const locked = await post(form, {});
    const form2 = new FormData();
    form2.set("file", new File([await locked.arrayBuffer()], "a.txt.age"));
    form2.set("identities", keys.identity);
    expect(await (await post(form2, { query: { direction: "unlock" } })).text()).toBe(CONTENT);
  });

  test("says which key is missing or wrong", async () => {
    const locked = await (await post(CONTENT, { query: { recipients: keys.recipient } })).arrayBuffer();
    const unlock = async (headers?: Record<string, string>) =>
      (await post(locked, { query: { direction: "unlock" }, ...(headers && { headers }) })).json();
    expect(await unlock()).toMatchObject({ status: 422, code: "identity_required", parameter: "identities" });
    const others = { "tool-identities": (await makeAgeKeys()).identity };
    expect(await unlock(others)).toMatchObject({ status: 422, code: "identity_wrong" });
    const wrong = await unlock({ "tool-identities": "%0Ahunter2" });
    expect(wrong).toMatchObject({ status: 400, code: "invalid_parameter", parameter: "identities", line: 2 });
    expect(JSON.stringify(wrong)).not.toContain("hunter2");
  });

  test.each([
    [{ direction: "unlock", format: "age" }, "format"],
    [{ direction: "unlock", recipients: "age1x" }, "recipients"],
    [{ direction: "unlock", armor: "true" }, "armor"],
    [{ identities: "AGE-SECRET-KEY-1X" }, "identities"],
    [{ format: "locked", recipients: "age1x" }, "recipients"],
    [{ armor: "true", password: "p" }, "armor"],
    [{ format: "age", password: "p", recipients: "age1x" }, "password"],
    [{ format: "pgp" }, "format"],
  ])("refuses what would do nothing: %j", async (query, parameter) => {
    expect(await (await post(CONTENT, { query })).json()).toMatchObject({
      status: 400,
      code: "invalid_parameter",
      parameter,
    });
  });
});

test("does the same over RPC", async () => {
  const { fileEncrypt } = service.client().tools;
  const file = new TextEncoder().encode(CONTENT);
  const locked = await fileEncrypt.mutate({ file, recipients: keys.recipient });
  expect(locked).toMatchObject({ format: "age", direction: "lock", name: "locked.age" });
  const { identity: identities } = keys;
  const opened = await fileEncrypt.mutate({ file: locked.data, direction: "unlock", identities });
  expect(new TextDecoder().decode(opened.data)).toBe(CONTENT);
});
