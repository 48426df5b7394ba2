/** How differences are shown: as code, in one width of letters, or as prose, to be read. */
export type Look = "code" | "prose";

/** Code is broken into lines by who writes it, prose mostly by what shows it. */
const MEAN_LINE_OF_PROSE = 90;

/** What a text seems to be, by the mean length of its lines that are not blank. */
export function guessLook(text: string): Look {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return length / Math.max(1, lines.length) > MEAN_LINE_OF_PROSE ? "prose" : "code";
}
