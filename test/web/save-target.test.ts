import { afterEach, expect, test } from "vitest";
import { chooseTarget } from "../../web/work/save-target.ts";

const LARGE = { name: "large.locked", sizeBytes: 64 * 2 ** 20 };
const DIALOG = "showSaveFilePicker";

afterEach(() => {
  Reflect.deleteProperty(globalThis, DIALOG);
});

/** Stands for the dialog of the system, which only some browsers have. */
function withDialog(answer: () => Promise<unknown>): void {
  Object.defineProperty(globalThis, DIALOG, { value: answer, configurable: true });
}

function targetThat(createWritable: () => Promise<unknown>): { createWritable: () => Promise<unknown> } {
  return { createWritable };
}

test("writes where the person chose, and leaves what is there as it is until then", async () => {
  let aborted = 0;
  const target = targetThat(async () => ({ abort: async () => void aborted++ }));
  withDialog(async () => target);
  expect(await chooseTarget(LARGE)).toBe(target);
  expect(aborted).toBe(1);
  expect(await chooseTarget({ ...LARGE, sizeBytes: LARGE.sizeBytes - 1 })).toBeUndefined();
});

test("saves as any other what is not written there: no dialog, a closed or refused one, a file that is locked", async () => {
  expect(await chooseTarget(LARGE)).toBeUndefined();
  withDialog(() => Promise.reject(new DOMException("closed", "AbortError")));
  expect(await chooseTarget(LARGE)).toBeUndefined();
  withDialog(() => Promise.reject(new DOMException("no click", "SecurityError")));
  expect(await chooseTarget(LARGE)).toBeUndefined();
  withDialog(async () => targetThat(() => Promise.reject(new DOMException("no", "NotAllowedError"))));
  expect(await chooseTarget(LARGE)).toBeUndefined();
});
