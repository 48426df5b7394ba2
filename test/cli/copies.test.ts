import { expect, test } from "vitest";
import type { Harness, Sent } from "../support/harness.ts";
import { withServer } from "../support/with-server.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();
const LINK = "http://hushkit\\.test/s/[0-9A-Za-z]{16}#[0-9A-Za-z]{22}\\.[0-9A-Za-z]{43}";

test("makes a secret for each person, which opens once and has its own status", async () => {
  const shell = openShell(service);
  const sent = await shell.run(["send", shell.put("wifi.txt", "hunter2"), "--copies", "3"]);
  expect(sent).toMatchObject({ code: 0, err: "" });
  expect(sent.out).toMatch(new RegExp(`^(${LINK}\n){3}$`));
  const [first = "", second = "", third = ""] = sent.out.split("\n");
  expect(await shell.run(["open", first, "-o", "-"])).toMatchObject({ code: 0, out: "hunter2" });
  expect(await shell.run(["status", first])).toMatchObject({ code: 3 });
  expect(await shell.run(["status", second])).toMatchObject({ code: 0 });
  expect(await shell.run(["open", third, "-o", "-"])).toMatchObject({ code: 0, out: "hunter2" });
});

test("prints CSV of which every row can be given away and taken back", async () => {
  const shell = openShell(service);
  const sent = await shell.run(["send", "--copies", "2", "--csv"], { stdin: "text" });
  const [head, ...rows] = sent.out.trimEnd().split("\n");
  expect([head, rows.length]).toEqual(["number,link,revoke", 2]);
  const cells = rows.map((row) => row.split(","));
  expect(cells.map(([number]) => number)).toEqual(["1", "2"]);
  expect(await shell.run(["revoke", cells[0]?.[2] ?? ""])).toMatchObject({ code: 0 });
  expect(await shell.run(["open", cells[0]?.[1] ?? ""])).toMatchObject({ code: 3 });
  expect(await shell.run(["open", cells[1]?.[1] ?? ""])).toMatchObject({ code: 0, out: "text" });
});

test("copies several files, and prints a list of the API's objects", async () => {
  const shell = openShell(service);
  const files = [shell.put("a.txt", "one"), shell.put("b.txt", "two")];
  const sent = await shell.run(["send", ...files, "--copies", "2", "--json"]);
  const made = JSON.parse(sent.out) as { url: string; kind: string }[];
  expect(made).toMatchObject([{ kind: "file" }, { kind: "file" }]);
  for (const { url } of made)
    expect(await shell.run(["open", url, "--force"])).toMatchObject({ code: 0, err: "" });
  expect(String(shell.read("b.txt"))).toBe("two");
});

test.each([[], ["--csv"], ["--json"]])(
  "says which were made where it ends half-way %j",
  async (...options) => {
    const shell = openShell(service);
    const sent = await shell.run(["send", "--copies", "12", ...options], { stdin: "text" });
    expect(sent).toMatchObject({ code: 5, err: expect.stringContaining("Only 10 of 12 links were made") });
    const links = [...sent.out.matchAll(new RegExp(LINK, "g"))].map(([link]) => link);
    expect(new Set(links).size).toBe(10);
    expect(await shell.run(["open", links[9] ?? ""])).toMatchObject({ code: 0, out: "text" });
  },
);

test("tells the plain error where none was made", async () => {
  const request = async (path: string, init: Sent = {}) => {
    if (path.startsWith("/trpc/secrets.create")) throw new TypeError("fetch failed");
    return service.request(path, init);
  };
  const broken: Harness = { ...service, request };
  const sent = await openShell(broken).run(["send", "--copies", "2"], { stdin: "text" });
  expect(sent).toMatchObject({
    code: 6,
    out: "",
    err: expect.stringMatching(/^hushkit: http\S+ cannot be reached/),
  });
});
