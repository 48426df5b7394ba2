import { expect, test } from "vitest";
import { withServer } from "../support/with-server.ts";
import { imagePdf, jpegImage, photograph } from "../tools/pdf/compress/support/image-pdf.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();
const SCAN = imagePdf(await jpegImage(photograph(600, 600, 3), { width: 600, height: 600, channels: 3 }));

test.each([[[]], [["--server"]]])("makes a smaller file beside the first one %j", async (more) => {
  const shell = openShell(service);
  shell.put("scan.pdf", SCAN);
  const ended = await shell.run([
    "pdf",
    "compress",
    "scan.pdf",
    "--dpi",
    "72",
    "-q",
    "40",
    "--json",
    ...more,
  ]);
  expect(ended).toMatchObject({ code: 0, err: "" });
  const made = shell.read("scan-compressed.pdf");
  expect(JSON.parse(ended.out)).toMatchObject({
    ...{ tool: "pdf-compress", name: "scan-compressed.pdf", images: 1, pages: 1, warnings: [] },
    ...{ size: made.length, sizeBefore: SCAN.length },
  });
  expect(Buffer.from(made).toString("latin1")).toMatch(/\/Width 72\b/);
});

test.each([
  ["--dpi", "35"],
  ["--dpi", "601"],
  ["-q", "0"],
])("refuses %s %s", async (option, value) => {
  const shell = openShell(service);
  shell.put("scan.pdf", SCAN);
  const { code, err } = await shell.run(["pdf", "compress", "scan.pdf", option, value]);
  expect([code, err]).toEqual([2, expect.stringContaining(option)]);
});
