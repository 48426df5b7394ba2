import { expect, test } from "vitest";
import { runAtOnce } from "../../../web/work/at-once.ts";

/** Runs work that ends when it is told to, and says what runs. */
function watched(count: number, { cores, bytes, costs }: { cores: number; bytes: number; costs: number[] }) {
  const files = Array.from({ length: count }, (_, i) => new File([], String(i)));
  const running = new Map<number, (error?: Error) => void>();
  const started: number[] = [];
  const results = runAtOnce(
    files,
    (file, place) =>
      new Promise<string>((resolve, reject) => {
        started.push(place);
        running.set(place, (error) => {
          running.delete(place);
          if (error) reject(error);
          else resolve(file.name);
        });
      }),
    { capacity: { cores, bytes }, costOf: async ({ name }) => costs[Number(name)] ?? 1 },
  );
  return { results, running, started };
}

test("works on as many files as there are cores, and keeps their order", async () => {
  const { results, running, started } = watched(5, { cores: 2, bytes: 100, costs: [] });
  await expect.poll(() => started).toEqual([0, 1]);
  running.get(1)?.();
  await expect.poll(() => started).toEqual([0, 1, 2]);
  running.get(2)?.(new Error("broken"));
  await expect.poll(() => started).toEqual([0, 1, 2, 3]);
  running.get(3)?.();
  await expect.poll(() => started).toEqual([0, 1, 2, 3, 4]);
  running.get(4)?.();
  running.get(0)?.();
  const all = await results;
  expect(all.map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual([
    ...["0", "1", "failed", "3", "4"],
  ]);
});

test("does not work on more at once than fits into memory, but on a larger file alone", async () => {
  const { results, running, started } = watched(4, { cores: 4, bytes: 10, costs: [6, 4, 1, 30] });
  await expect.poll(() => started).toEqual([0, 1]);
  running.get(1)?.();
  await expect.poll(() => started).toEqual([0, 1, 2]);
  running.get(2)?.();
  await expect.poll(() => running.size).toBe(1);
  running.get(0)?.();
  await expect.poll(() => started).toEqual([0, 1, 2, 3]);
  running.get(3)?.();
  expect(await results).toHaveLength(4);
});
