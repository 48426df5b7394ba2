/** Inputs of the calls of one request, by their place in it. */
export type Inputs = Readonly<Record<number, unknown>>;

/** The inputs in a parsed body: the only one, or those of a batch by the places of their calls. @throws TypeError */
export function inputTrees(
  body: unknown,
  { count, isBatch }: { count: number; isBatch: boolean },
): readonly unknown[] {
  if (!isBatch) return [body];
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new TypeError("A batch is an object of inputs");
  const byPlace = new Map(Object.entries(body));
  return Array.from({ length: count }, (_, place) => byPlace.get(String(place)));
}
