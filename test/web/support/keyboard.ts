import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { makeTempFolder } from "../../support/temp-folder.ts";

const MOST_STOPS = 80;
/** A larger file goes by its path: through the driver's socket it takes seconds. */
const MOST_SENT = 1_000_000;

/** Goes forward with Tab until the control has the focus, as a person without a mouse does. */
export async function tabTo(control: Locator): Promise<void> {
  const page = control.page();
  await control.waitFor({ state: "attached" });
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not lead to this control");
}

/** Goes to a button or link and presses it. */
export async function press(control: Locator): Promise<void> {
  await tabTo(control);
  await control.page().keyboard.press("Enter");
}

export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Chooses files in the dialog that the focused field opens. */
export async function chooseFile(page: Page, ...files: readonly TestFile[]): Promise<void> {
  // Browsers open a dialog for the tab in front only.
  await page.bringToFront();
  await tabTo(page.locator("main input[type=file]"));
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Space");
  // A busy browser can miss the key while the tab comes to the front.
  const again = setTimeout(() => void page.keyboard.press("Space"), 5000);
  const opened = await chooser.finally(() => clearTimeout(again));
  const isLarge = files.some(({ buffer }) => buffer.length > MOST_SENT);
  await opened.setFiles(isLarge ? files.map(writeTemp) : [...files]);
}

function writeTemp({ name, buffer }: TestFile): string {
  const path = join(makeTempFolder(), name);
  writeFileSync(path, buffer);
  return path;
}
