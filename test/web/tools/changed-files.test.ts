// browser
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

browserTest("reads a text again where its file was changed and is chosen again", async () => {
  const { page, complaints } = await stage.open("/text-compare");
  const path = join(makeTempFolder(), "notes.txt");
  writeFileSync(path, "before\n");
  const input = page.locator("main input[type=file]").first();
  const text = page.getByLabel("First text", { exact: true });
  await input.setInputFiles(path);
  await expect.poll(() => text.inputValue()).toBe("before\n");
  expect(await input.evaluate((field: HTMLInputElement) => field.value)).toBe("");
  writeFileSync(path, "after\n");
  await input.setInputFiles(path);
  await expect.poll(() => text.inputValue()).toBe("after\n");
  expect(complaints).toEqual([]);
});

browserTest("says so where the file of a text cannot be read, and keeps the text", async () => {
  const { page, complaints } = await stage.open("/text-compare");
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
  });
  const path = join(makeTempFolder(), "gone.txt");
  writeFileSync(path, "x");
  await page.getByLabel("First text", { exact: true }).fill("typed");
  await page.locator("main input[type=file]").first().setInputFiles(path);
  rmSync(path);
  await page.getByRole("alert").getByText("cannot be read").waitFor();
  expect(await page.getByLabel("First text", { exact: true }).inputValue()).toBe("typed");
  expect(complaints).toEqual([]);
});

browserTest(
  "names the file that has changed since it was chosen, where it is digested or encrypted",
  async () => {
    const folder = makeTempFolder();
    const [changed, other] = [join(folder, "changed.bin"), join(folder, "other.bin")];
    writeFileSync(other, "other");
    for (const [path, files] of [
      ["/file-hash", [changed]],
      ["/file-hash", [changed, other]],
      ["/file-encrypt", [changed]],
      ["/file-encrypt", [changed, other]],
    ] as const) {
      writeFileSync(changed, "as it was chosen");
      const { page } = await stage.open(path);
      await page
        .locator("main input[type=file]")
        .first()
        .setInputFiles([...files]);
      await page.getByRole("group", { name: "changed.bin" }).waitFor();
      if (path === "/file-encrypt")
        await page.getByRole("textbox", { name: "Password" }).fill("a long password");
      writeFileSync(changed, "another");
      if (path === "/file-encrypt") await page.getByRole("button", { name: "Encrypt", exact: true }).click();
      else
        await page
          .getByRole("main")
          .getByRole("textbox")
          .first()
          .fill(`${"0".repeat(64)}  changed.bin`);
      await page.getByRole("alert").getByText("changed.bin: The file cannot be read.").waitFor();
    }
  },
);

browserTest("names the file that has changed since it was chosen, where PDFs are merged", async () => {
  const folder = makeTempFolder();
  const [kept, changed] = [join(folder, "kept.pdf"), join(folder, "changed.pdf")];
  for (const place of ["In this browser", "On the server"]) {
    for (const path of [kept, changed]) writeFileSync(path, pagesPdf(2));
    const { page } = await stage.open("/pdf-merge");
    await page.locator("main input[type=file]").setInputFiles([kept, changed]);
    await page.getByText("2 pages").nth(1).waitFor();
    await page.getByLabel(place).check();
    writeFileSync(changed, "another");
    await page.getByRole("button", { name: /^Merge/ }).click();
    await page.getByRole("alert").getByText("changed.pdf: The file cannot be read.").waitFor();
  }
});

browserTest("names the files that are dropped on two texts and cannot be read, or are none", async () => {
  const { page, complaints } = await stage.open("/text-compare");
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = function read() {
      const isGone = this instanceof File && this.name === "gone.txt";
      return isGone ? Promise.reject(new DOMException("gone", "NotFoundError")) : arrayBuffer.call(this);
    };
    const data = new DataTransfer();
    data.items.add(new File(["gone"], "gone.txt"));
    // Text in its head, which is all that is looked at first.
    data.items.add(new File(["x".repeat(70_000), "\0"], "mixed.txt"));
    data.items.add(new File(["one"], "one.txt"));
    data.items.add(new File(["two"], "two.txt"));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
    );
  });
  await page.getByText("gone.txt: The file cannot be read.").waitFor();
  await page.getByText("mixed.txt").waitFor();
  expect(await page.getByLabel("First text", { exact: true }).inputValue()).toBe("one");
  expect(await page.getByLabel("Second text", { exact: true }).inputValue()).toBe("two");
  expect(complaints).toEqual([]);
});
