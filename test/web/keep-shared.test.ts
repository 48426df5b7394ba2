import { expect, test } from "vitest";
import { keepShared } from "../../web/received/keep-shared.ts";

test("hands what was shared over under a name of 131 random bits, another each time", async () => {
  const share = async () => {
    const body = new FormData();
    body.set("text", "the code is 0000");
    const shared = new Request("https://hush.example/received", { method: "POST", body });
    const { status, headers } = await keepShared(shared);
    const page = new URL(headers.get("location") ?? "");
    expect([status, page.pathname]).toEqual([303, "/received"]);
    return page.searchParams.get("shared");
  };
  const names = [await share(), await share()];
  for (const name of names) expect(name).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(new Set(names).size).toBe(2);
});
