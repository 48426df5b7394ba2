import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileChooser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";

const MOST_STOPS = 80;
const AGAIN_MS = 5000;
/** A larger file goes by its path: through the driver's socket it takes seconds. */
const MOST_SENT = 1_000_000;

/**
 * Goes to a control with Tab, from what stands before it: the way over a whole page is dozens of stops, each of them
 * drawn, and walked by `walkTo` once.
 */
export async function tabTo(control: Locator): Promise<void> {
  await expect.poll(() => control.isEnabled()).toBe(true);
  await control.evaluate((element) => {
    const stops = [
      ...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary"),
    ];
    const isStop = (stop: HTMLElement) =>
      stop.tabIndex >= 0 && !stop.matches(":disabled") && stop.checkVisibility();
    const before = stops.slice(0, stops.indexOf(element as HTMLElement)).findLast(isStop);
    if (element !== document.activeElement) before?.focus();
  });
  await walkTo(control);
}

/** Goes forward with Tab until the control has the focus, as a person without a mouse does. */
export async function walkTo(control: Locator): Promise<void> {
  const page = control.page();
  // What is disabled now is passed over; all stops are made in less time than a page takes to enable it.
  await expect.poll(() => control.isEnabled()).toBe(true);
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
  let chooser: FileChooser | undefined;
  // Beforehand: the browser is told to hand the dialog over, and would open its own until it has heard that.
  page.once("filechooser", (opened) => (chooser = opened));
  // Browsers open a dialog for the tab in front only.
  await page.bringToFront();
  await tabTo(page.locator("main input[type=file]"));
  await page.keyboard.press("Space");
  // A busy browser can miss the key while the tab comes to the front.
  const again = setInterval(() => void page.keyboard.press("Space"), AGAIN_MS);
  const opening = expect.poll(() => chooser !== undefined, { message: "The dialog opens" }).toBe(true);
  await opening.finally(() => clearInterval(again));
  const isLarge = files.some(({ buffer }) => buffer.length > MOST_SENT);
  await chooser?.setFiles(isLarge ? files.map(writeTemp) : [...files]);
}

function writeTemp({ name, buffer }: TestFile): string {
  const path = join(makeTempFolder(), name);
  writeFileSync(path, buffer);
  return path;
}
