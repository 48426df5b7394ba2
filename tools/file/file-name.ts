import { byteAt, utf8 } from "../../wire/bytes.ts";
import { EMOJI, UNSEEN } from "../../wire/escaped-name.ts";
import { normalized } from "../../wire/nfc.ts";

/** The longest name that Linux, macOS and Windows all accept, in UTF-8 bytes. */
export const MAX_FILE_NAME_BYTES = 255;

/**
 * Makes a caller's name safe for saving: the last path segment in NFC, without controls, invisible characters, bidi
 * overrides and what Windows forbids, at most 255 UTF-8 bytes. Never fails.
 */
export function cleanFileName(
  name: string,
  options: {
    /** The extension, such as "pdf": kept, put in place of a known other one, or added. */
    readonly extension?: string;
    /** The name where nothing is left, used unchanged except for the extension. */
    readonly fallback?: string;
    /**
     * Whether a name such as .env keeps its dot. Not where a stranger may have chosen it: programs read files such as
     * .npmrc by themselves.
     */
    readonly keepsDot?: boolean;
  } = {},
): string {
  const segment = normalized(dropUnseen(name)).split(/[/\\]/).at(-1) ?? "";
  const trimmed = trimDotsAndSpaces(segment.replace(/[<>:"|?*]/g, "_"));
  const isHidden = options.keepsDot === true && trimmed !== "" && /^\s*\.[^\s.]/.test(segment);
  const whole = (isHidden ? `.${trimmed}` : trimmed) || (options.fallback ?? "file");
  const named = options.extension === undefined ? whole : giveExtension(whole, options.extension);
  // Last, because changing the extension or shortening the name can make a device name.
  return shorten(avoidDevice(shorten(named)));
}

const EMOJI_OR_UNSEEN = new RegExp(`(${EMOJI})|${UNSEEN}`, "gu");

function dropUnseen(name: string): string {
  return name.replace(EMOJI_OR_UNSEEN, (_, emoji: string | undefined) => emoji ?? "");
}

// Two loops, because /[\s.]+$/ takes quadratic time on a long run of dots that something follows.
function trimDotsAndSpaces(name: string): string {
  let start = 0;
  while (start < name.length && isDotOrSpace(name.charAt(start))) start++;
  return trimEnd(name.slice(start));
}

function trimEnd(name: string): string {
  let end = name.length;
  while (end > 0 && isDotOrSpace(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

function isDotOrSpace(character: string): boolean {
  return /[\s.]/.test(character);
}

// Windows opens the device with any extension, with spaces before it, and for superscript digits too.
function avoidDevice(name: string): string {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i.test(name)
    ? `_${name}`
    : name;
}

const KNOWN_EXTENSIONS =
  /\.(?:pdf|png|jpe?g|jfif|webp|avif|gif|tiff?|bmp|ico|svg|hei[cf]|zip|tar|gz|tgz|7z|rar|txt|md|csv|json|xml|html?|rtf|e?ps|docx?|xlsx?|pptx?|od[tsp]|bin|locked)$/i;

function giveExtension(name: string, extension: string): string {
  if (hasExtension(name, extension)) return name;
  const bare = trimEnd(name.replace(KNOWN_EXTENSIONS, ""));
  return hasExtension(bare, extension) ? bare : `${bare}.${extension}`;
}

function hasExtension(name: string, extension: string): boolean {
  const own = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const isSpelledElse = own === "jpeg" && extension === "jpg";
  return (
    name.includes(".") && (own === extension || isSpelledElse || (own === "jpg" && extension === "jpeg"))
  );
}

function shorten(name: string): string {
  return utf8(name).length <= MAX_FILE_NAME_BYTES ? name : addToStem(name, "");
}

/** Appends to the stem of a clean name, as in `a-2.txt`, and shortens the stem where that is too long. */
export function addToStem(name: string, added: string): string {
  const extension = /(?<=.)\.[a-z0-9]{1,16}$/i.exec(name)?.[0] ?? "";
  const stem = name.slice(0, name.length - extension.length);
  const end = added + extension;
  // A cut emoji sequence keeps no joiner.
  const taken = takeBytes(stem, MAX_FILE_NAME_BYTES - utf8(end).length).replace(/\u200D$/, "");
  return trimEnd(taken) + end;
}

function takeBytes(text: string, limitBytes: number): string {
  // No character is shorter than a byte, so nothing beyond the limit need be encoded.
  const bytes = utf8(text.slice(0, limitBytes));
  let end = Math.min(limitBytes, bytes.length);
  // 10xxxxxx continues a code point: cutting before one would leave half a letter.
  while (end < bytes.length && (byteAt(bytes, end) & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

const TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  zip: "application/zip",
  txt: "text/plain",
};

/** The media type for a file name, for files that were not made here. */
export function typeOfName(name: string): string {
  return TYPES[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";
}
