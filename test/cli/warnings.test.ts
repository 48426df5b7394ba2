import { expect, test } from "vitest";
import { picture, bytesOf } from "../tools/image/support/made.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { withServer } from "../support/with-server.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();

test.each([[[]], [["--server"]]])(
  "names the file that a warning of a merge is about, with %j",
  async (more) => {
    const shell = openShell(service);
    shell.put("a.pdf", pagesPdf(1));
    shell.put("b.pdf", pagesPdf(1, { extra: "/Threads[]" }));
    const { code, out, err } = await shell.run(["pdf", "merge", "a.pdf", "b.pdf", "--json", ...more]);
    expect([code, err]).toEqual([0, "hushkit: warning: b.pdf: Article threads were left out.\n"]);
    expect(JSON.parse(out)).toMatchObject({
      warnings: [
        {
          code: "threads_left_out",
          message: "File 2 of 2: Article threads were left out.",
          file: { index: 1, name: "b.pdf" },
        },
      ],
    });
  },
);

test("says a warning about the only file without its name", async () => {
  const shell = openShell();
  shell.put("deep.png", await bytesOf(picture(8, 8).toColourspace("rgb16").png()));
  const { err, out } = await shell.run(["image", "deep.png", "-f", "webp", "--json"]);
  const message = "The 16 bits of each channel became 8.";
  expect(err).toBe(`hushkit: warning: ${message}\n`);
  expect(JSON.parse(out)).toMatchObject({ warnings: [{ code: "depth_reduced", message }] });
});
