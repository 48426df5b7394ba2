/**
 * The Content-Disposition of a download: RFC 6266, with RFC 8187's `filename*` only where ASCII cannot express the
 * name. For any name, the value is one line of printable ASCII without a folder.
 */
export function contentDisposition(name: string): string {
  const safe = defuse(name);
  if (safe === "") return "attachment";
  const ascii = foldToAscii(safe);
  const plain = `attachment; filename="${ascii}"`;
  return ascii === safe ? plain : `${plain}; filename*=UTF-8''${encodeExtended(safe)}`;
}

// Names arrive cleaned; this is for one that does not. Browsers decode what is encoded, so line ends, slashes, quotes
// and overrides must not be in `filename*` either.
function defuse(name: string): string {
  return name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}"/\\]/gu, "_");
}

const LETTERS_WITHOUT_DECOMPOSITION: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "Th",
  ı: "i",
  "–": "-",
  "—": "-",
  "’": "'",
};

// NFD and never NFKD, which turns the fullwidth slash and quotation mark into real ones.
function foldToAscii(name: string): string {
  return (
    name
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .normalize("NFC") // else one Hangul syllable would become three characters
      .replace(/[^\x20-\x7e]/gu, (letter) => LETTERS_WITHOUT_DECOMPOSITION[letter] ?? "_")
      // RFC 6266 appendix D: some browsers decode an escape in `filename`, some do not.
      .replace(/%(?=[0-9a-f]{2})/gi, "_")
  );
}

// RFC 8187's attr-char is smaller than what encodeURIComponent leaves alone.
function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
