// slow
import { expect, test } from "vitest";
import { lockFile } from "../../tools/file-encrypt.ts";
import { failureOf } from "../../client/client.ts";
import { DEFAULT_LIMITS } from "../../router/limits.ts";
import { collectPieces } from "../tools/support/pieces.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();

const LIMIT = DEFAULT_LIMITS.anonymous.fileSize;
const post = (direction: string, body: BodyInit) =>
  service.request(`/api/tools/file-encrypt?direction=${direction}`, {
    ...{ method: "POST", body, headers: { "tool-password": "hush" } },
  });

test("opens a locked file whose content is as large as a file may be", async () => {
  const content = new Uint8Array(LIMIT).fill(7);
  const locked = await post("lock", content);
  expect(locked.status).toBe(200);
  const container = new Uint8Array(await locked.arrayBuffer());
  expect(container.length).toBeGreaterThan(LIMIT);
  const opened = await post("unlock", container);
  expect(opened.status).toBe(200);
  expect(Buffer.compare(new Uint8Array(await opened.arrayBuffer()), content)).toBe(0);
  const form = new FormData();
  form.set("file", new Blob([container]), "a.locked");
  const inForm = await service.request("/api/tools/file-encrypt?direction=unlock", {
    ...{ method: "POST", body: form, headers: { "tool-password": "hush" } },
  });
  expect(inForm.status).toBe(200);
  const typed = await service.client().tools.fileEncrypt.mutate({
    ...{ file: container, direction: "unlock", password: "hush" },
  });
  expect(typed.size).toBe(LIMIT);
});

test("refuses one byte more, plain or locked, on both ways", async () => {
  const content = new Uint8Array(LIMIT + 1);
  const container = await collectPieces(lockFile(content, { password: "hush" }));
  for (const [direction, body] of [["lock", content] as const, ["unlock", container] as const]) {
    const answer = await post(direction, body);
    expect([answer.status, await answer.json()]).toMatchObject([
      413,
      { code: "file_too_large", limit: "fileSize", value: LIMIT },
    ]);
    const typed = service.client().tools.fileEncrypt.mutate({ file: body, direction, password: "hush" });
    const failure = failureOf(await typed.catch((error: unknown) => error));
    expect(failure).toMatchObject({ code: "file_too_large" });
  }
});
