/** The names that were typed, one on each line; of equal ones each gets a link. */
export function readPeople(lines: string): readonly string[] {
  return lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Whether more than so many names were typed, of which no more are read. */
export function areMoreThan(most: number, lines: string): boolean {
  let count = 0;
  for (let from = 0; from <= lines.length;) {
    const found = lines.indexOf("\n", from);
    const end = found < 0 ? lines.length : found;
    if (lines.slice(from, end).trim() !== "" && ++count > most) return true;
    from = end + 1;
  }
  return false;
}
