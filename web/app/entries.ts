/** Object.entries with the key type of its record. */
export function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  // A record typed with these keys has only these keys.
  return Object.entries(record) as [Key, Value][];
}
