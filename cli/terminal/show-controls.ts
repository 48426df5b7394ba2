/**
 * What a terminal obeys (C0, DEL and C1 but line ends and tabs), and what has text run backwards there (UAX 9). Ends of
 * lines may be those of Windows; a carriage return alone writes over what is there.
 */
const CONTROLS = /(?!\r?\n|\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The same, but what `painter` writes. */
const CONTROLS_IN_PAINTED = /(?!\r?\n|\t|\x1b\[(?:[012]|3[1256])m)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text of others as a terminal may have it: its control characters are written as `<U+001B>`. */
export function showControls(
  text: string,
  {
    isPainted = false,
  }: {
    /** Whether it has colours of ours. */
    isPainted?: boolean;
  } = {},
): string {
  const controls = isPainted ? CONTROLS_IN_PAINTED : CONTROLS;
  return text.replace(controls, (character) => `<U+${hexOf(character).toUpperCase()}>`);
}

/** The same of JSON, which stays the same JSON. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS, (character) => `\\u${hexOf(character)}`);
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
