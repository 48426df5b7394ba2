import { byteAt } from "../../../wire/bytes.ts";
import {
  latin1,
  type Lexer,
  lexerAt,
  skipHexString,
  skipLiteralString,
  skipRegular,
  skipWhitespace,
} from "../syntax/lexer.ts";
import { readName } from "../syntax/parse.ts";

/** The kinds of resources (ISO 32000-1, 7.8.3) that content looks up by name. */
export const RESOURCE_KINDS = [
  "Font",
  "XObject",
  "ExtGState",
  "ColorSpace",
  "Pattern",
  "Shading",
  "Properties",
] as const;

export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** The names that content looks up in its resources. */
export type UsedNames = ReadonlyMap<ResourceKind, ReadonlySet<string>>;

/** By operator (ISO 32000-1, annex A): the kind of resource that its last operand names. */
const OPERATORS: Readonly<Record<string, ResourceKind>> = {
  Tf: "Font",
  Do: "XObject",
  gs: "ExtGState",
  CS: "ColorSpace",
  cs: "ColorSpace",
  SCN: "Pattern",
  scn: "Pattern",
  sh: "Shading",
  BDC: "Properties",
  DP: "Properties",
};

interface Scan {
  readonly used: Map<ResourceKind, Set<string>>;
  /** How many arrays and dictionaries are open. */
  depth: number;
  /** The last operand that is a name, outside arrays and dictionaries. */
  name: string | undefined;
}

/**
 * The names that a content stream looks up, by kind; undefined if its syntax is unusual (an unterminated string,
 * unbalanced brackets, an inline image, whose data may look like anything), so that programs may read it differently.
 * Then `namesIn` returns all names that any of them can find.
 */
export function scanContent(content: Uint8Array): UsedNames | undefined {
  const lexer = lexerAt(content);
  const scan: Scan = { used: new Map(), depth: 0, name: undefined };
  while (skipWhitespace(lexer) >= 0) if (!scanToken(lexer, scan)) return undefined;
  if (scan.depth > 0) return undefined;
  // The operator of an operand may be in the next stream of the page.
  if (scan.name !== undefined) for (const kind of RESOURCE_KINDS) use(scan, kind, scan.name);
  return scan.used;
}

function use({ used }: Scan, kind: ResourceKind, name: string): void {
  const names = used.get(kind);
  if (names) names.add(name);
  else used.set(kind, new Set([name]));
}

function scanToken(lexer: Lexer, scan: Scan): boolean {
  const { bytes } = lexer;
  const code = byteAt(bytes, lexer.at);
  switch (code) {
    case 0x2f: {
      const name = readName(lexer);
      if (scan.depth === 0) scan.name = name;
      return true;
    }
    case 0x28:
      return skipLiteralString(lexer);
    case 0x3c:
      return bytes[lexer.at + 1] === code ? open(lexer, scan, 2) : skipHexString(lexer);
    case 0x5b:
      return open(lexer, scan, 1);
    case 0x3e:
      return bytes[lexer.at + 1] === code && close(lexer, scan, 2);
    case 0x5d:
      return close(lexer, scan, 1);
    default:
      return scanOperator(lexer, scan);
  }
}

function open(lexer: Lexer, scan: Scan, length: 1 | 2): boolean {
  lexer.at += length;
  scan.depth++;
  return true;
}

function close(lexer: Lexer, scan: Scan, length: 1 | 2): boolean {
  lexer.at += length;
  // The operand of BDC is this dictionary, and not a name before it.
  if (--scan.depth === 0 && length === 2) scan.name = undefined;
  return scan.depth >= 0;
}

/** The longest operators have three characters. */
const MAX_OPERATOR = 3;

function scanOperator(lexer: Lexer, scan: Scan): boolean {
  const from = skipRegular(lexer);
  const length = lexer.at - from;
  // An unmatched brace or parenthesis.
  if (length === 0) return false;
  const first = byteAt(lexer.bytes, from);
  const isOperator = length <= MAX_OPERATOR && (first >= 0x41 || first === 0x27 || first === 0x22);
  if (!isOperator || scan.depth > 0) return true;
  const operator = latin1(lexer.bytes, { from, to: lexer.at });
  if (operator === "BI" || operator === "ID") return false;
  const kind = OPERATORS[operator];
  if (kind && scan.name !== undefined) use(scan, kind, scan.name);
  scan.name = undefined;
  return true;
}

/** Every name anywhere in content, including strings and image data, for all kinds. */
export function namesIn(content: Uint8Array): UsedNames {
  const names = new Set<string>();
  const lexer = lexerAt(content);
  for (let at = content.indexOf(0x2f); at >= 0; at = content.indexOf(0x2f, lexer.at)) {
    lexer.at = at;
    names.add(readName(lexer));
  }
  return new Map(RESOURCE_KINDS.map((kind) => [kind, names]));
}
