/** An object with the same keys, and the values that `map` makes of the old ones. */
export function mapValues<Value, Made = Value>(
  of: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value, key)]));
}
