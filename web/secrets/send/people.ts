/** The names that were typed, one on each line; of equal ones each gets a link. */
export function readPeople(lines: string): readonly string[] {
  return lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
