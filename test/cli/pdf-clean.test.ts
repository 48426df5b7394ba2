import { expect, test } from "vitest";
import { withServer } from "../support/with-server.ts";
import { pagesPdf, textOf } from "../tools/pdf/support/pdf-made.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();
const SCRIPTED = pagesPdf(1, { extra: "/OpenAction<</S/JavaScript/JS(x)>>/PageMode/UseOutlines" });

test.each([[[]], [["--server"]]])("writes a clean file beside the first one %j", async (more) => {
  const shell = openShell(service);
  shell.put("plan.pdf", SCRIPTED);
  const ended = await shell.run([
    "pdf",
    "clean",
    "plan.pdf",
    "--remove",
    "bookmarks,scripts",
    "--json",
    ...more,
  ]);
  expect(ended).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(ended.out)).toMatchObject({
    ...{ tool: "pdf-clean", name: "plan-cleaned.pdf", removed: ["scripts", "bookmarks"], pages: 1 },
    ...{ repaired: false, warnings: [] },
  });
  expect(textOf(shell.read("plan-cleaned.pdf"))).not.toMatch(/JavaScript|UseOutlines/);
});

test("refuses what it does not know, with what it knows", async () => {
  const shell = openShell(service);
  shell.put("plan.pdf", SCRIPTED);
  const { code, err } = await shell.run(["pdf", "clean", "plan.pdf", "--remove", "links"]);
  expect([code, err]).toEqual([2, expect.stringContaining("metadata, scripts, attachments, annotations")]);
});
