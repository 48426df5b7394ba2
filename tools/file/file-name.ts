import { utf8 } from "../../wire/bytes.ts";

/** The longest name that Linux, macOS and Windows all take, in UTF-8 bytes. */
export const MAX_FILE_NAME_BYTES = 255;

/**
 * Makes a caller's name safe to save under: the last path segment in NFC, without controls, invisible
 * characters, bidi overrides and what Windows forbids, at most 255 UTF-8 bytes. With `extension` ("pdf", no
 * dot) the right one is kept, a known other one replaced, and none or an unknown one added to. Never fails;
 * where nothing is left, the answer is `fallback`, taken as it is but for the extension.
 */
export function cleanFileName(name: string, options: { extension?: string; fallback?: string } = {}): string {
  const segment = dropUnseen(name).normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const trimmed = trimDotsAndSpaces(segment.replace(/[<>:"|?*]/g, "_"));
  const whole = trimmed || (options.fallback ?? "file");
  const named = options.extension === undefined ? whole : giveExtension(whole, options.extension);
  // Last, because changing the extension or shortening the name can make a device name.
  return shorten(avoidDevice(shorten(named)));
}

// What Unicode calls ignorable has no width (tags, joiners, fillers, byte order marks); the bidi controls are of
// them too, which make "gpj.exe" read as "exe.jpg".
function dropUnseen(name: string): string {
  return name.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]/gu,
    "",
  );
}

// Two walks, because /[\s.]+$/ takes quadratic time on a long run of dots that something follows.
function trimDotsAndSpaces(name: string): string {
  let start = 0;
  while (start < name.length && isDotOrSpace(name[start]!)) start++;
  return trimEnd(name.slice(start));
}

function trimEnd(name: string): string {
  let end = name.length;
  while (end > 0 && isDotOrSpace(name[end - 1]!)) end--;
  return name.slice(0, end);
}

function isDotOrSpace(character: string): boolean {
  return /[\s.]/.test(character);
}

// Windows opens the device whatever the extension, with blanks before it, and for superscript digits too.
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
  if (utf8(name).length <= MAX_FILE_NAME_BYTES) return name;
  const extension = /\.[a-z0-9]{1,16}$/i.exec(name)?.[0] ?? "";
  const stem = name.slice(0, name.length - extension.length);
  return trimEnd(takeBytes(stem, MAX_FILE_NAME_BYTES - extension.length)) + extension;
}

function takeBytes(text: string, limitBytes: number): string {
  // No character is shorter than a byte, so nothing past the limit need be encoded.
  const bytes = utf8(text.slice(0, limitBytes));
  let end = Math.min(limitBytes, bytes.length);
  // 10xxxxxx continues a code point: cutting before one would leave half a letter.
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
