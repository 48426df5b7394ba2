import { byteAt } from "../../../wire/bytes.ts";
import {
  isWhitespace,
  latin1,
  type Lexer,
  lexerAt,
  skipHexString,
  skipLiteralString,
  skipRegular,
  skipWhitespace,
} from "../syntax/lexer.ts";
import { unescapeName } from "../syntax/parse.ts";

/** An operator with its operands (ISO 32000-2, 7.8.2), and the bytes from the first of them on. */
export interface Operation {
  /** `BI` stands for an inline image with its data. */
  readonly operator: string;
  readonly from: number;
  readonly to: number;
  /** Operands that are names, outside arrays and dictionaries. */
  readonly names: readonly string[];
}

/**
 * Reads content from one operator to the next. False where its syntax is unusual, so that programs may read it in
 * different ways.
 */
export function forEachOperation(content: Uint8Array, visit: (operation: Operation) => void): boolean {
  const lexer = lexerAt(content);
  let names: string[] = [];
  let from = -1;
  let depth = 0;
  while (skipWhitespace(lexer) >= 0) {
    const start = lexer.at;
    const token = readToken(lexer);
    if (token === undefined) return false;
    if (from < 0) from = start;
    if (typeof token === "number") {
      depth += token;
      if (depth < 0) return false;
      continue;
    }
    if (depth > 0 || token === OPERAND) continue;
    if (token.startsWith("/")) {
      names.push(token.slice(1));
      continue;
    }
    if (token === "BI" && !skipInlineImage(lexer)) return false;
    visit({ operator: token, from, to: lexer.at, names });
    [names, from] = [[], -1];
  }
  return depth === 0;
}

const OPERAND = "";

/** A name with its solidus, an operator, OPERAND for any other, or by how much arrays and dictionaries get deeper. */
function readToken(lexer: Lexer): string | number | undefined {
  const { bytes } = lexer;
  const code = byteAt(bytes, lexer.at);
  switch (code) {
    case 0x2f: {
      lexer.at++;
      const from = skipRegular(lexer);
      return `/${unescapeName(latin1(bytes, { from, to: lexer.at }))}`;
    }
    case 0x28:
      return skipLiteralString(lexer) ? OPERAND : undefined;
    case 0x3c:
      if (bytes[lexer.at + 1] === code) return move(lexer, { by: 2, depth: 1 });
      return skipHexString(lexer) ? OPERAND : undefined;
    case 0x3e:
      return bytes[lexer.at + 1] === code ? move(lexer, { by: 2, depth: -1 }) : undefined;
    case 0x5b:
      return move(lexer, { by: 1, depth: 1 });
    case 0x5d:
      return move(lexer, { by: 1, depth: -1 });
    default:
      return readWord(lexer);
  }
}

function move(lexer: Lexer, { by, depth }: { by: number; depth: number }): number {
  lexer.at += by;
  return depth;
}

/** Operands that are written as operators are. */
const WORDS = ["true", "false", "null"];

function readWord(lexer: Lexer): string | undefined {
  const from = skipRegular(lexer);
  if (lexer.at === from) return undefined;
  const first = byteAt(lexer.bytes, from);
  const isOperator = first >= 0x41 || first === 0x27 || first === 0x22;
  const word = isOperator ? latin1(lexer.bytes, { from, to: lexer.at }) : OPERAND;
  return WORDS.includes(word) ? OPERAND : word;
}

/** What follows an image must look like content: so many bytes of text. */
const LOOKED_AT = 16;

/** Moves behind EI. Its data has no length, so the end is where EI stands alone and text follows (8.9.7). */
function skipInlineImage(lexer: Lexer): boolean {
  const { bytes, end } = lexer;
  for (let token: string | number | undefined = OPERAND; token !== "ID";) {
    if (skipWhitespace(lexer) < 0) return false;
    token = readToken(lexer);
    if (token === undefined || token === "EI") return false;
  }
  for (
    let at = bytes.indexOf(0x45, lexer.at + 1);
    at >= 0 && at + 2 <= end;
    at = bytes.indexOf(0x45, at + 1)
  ) {
    if (bytes[at + 1] !== 0x49 || !isWhitespace(bytes[at - 1])) continue;
    if (at + 2 < end && !isWhitespace(bytes[at + 2])) continue;
    if (!bytes.subarray(at + 2, at + 2 + LOOKED_AT).every(isText)) continue;
    lexer.at = at + 2;
    return true;
  }
  return false;
}

function isText(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || isWhitespace(code);
}
