import { type Bytes, byteAt, joinBytes } from "../../../wire/bytes.ts";
import { forEachOperation, type Operation } from "../content/operations.ts";
import {
  findKeyword,
  isWhitespace,
  latin1,
  type Lexer,
  lexerAt,
  skipHexString,
  skipLiteralString,
  skipRegular,
  skipWhitespace,
} from "../syntax/lexer.ts";

/**
 * Closes the content of a page, so that something can be drawn before and after it. The bytes end with the last complete
 * operation: what follows it draws nothing, and may be a string without an end. They lack operators that restore a
 * state nothing has saved, which readers skip. `closing` brings back the state that they began with.
 */
export function closeContent(content: Bytes): { bytes: Bytes; closing: string } {
  const open = { states: 0, hasText: false, marks: 0 };
  const pieces: Uint8Array[] = [];
  let [done, to] = [0, 0];
  const visit = ({ operator, from, to: end }: Pick<Operation, "operator" | "from" | "to">) => {
    to = end;
    if (operator === "q") open.states++;
    else if (operator === "BT" || operator === "ET") open.hasText = operator === "BT";
    else if (operator === "BMC" || operator === "BDC") open.marks++;
    else if (operator === "EMC") open.marks = Math.max(0, open.marks - 1);
    else if (operator === "Q" && open.states > 0) open.states--;
    else if (operator === "Q") {
      pieces.push(content.subarray(done, from));
      done = end;
    }
  };
  if (!forEachOperation(content, visit)) visitRest(content, to, visit);
  const closing = `${open.hasText ? "ET\n" : ""}${"EMC\n".repeat(open.marks)}${"Q\n".repeat(open.states)}`;
  const isWhole = pieces.length === 0 && content.subarray(to).every(isWhitespace);
  return { bytes: isWhole ? content : joinBytes([...pieces, content.subarray(done, to)]), closing };
}

/** Goes on where brackets do not match, which readers skip, up to a string without an end. */
function visitRest(
  content: Bytes,
  at: number,
  visit: (operation: { operator: string; from: number; to: number }) => void,
): void {
  const lexer = lexerAt(content, { at });
  while (skipWhitespace(lexer) >= 0) {
    const code = byteAt(content, lexer.at);
    if (code === 0x28) {
      if (!skipLiteralString(lexer)) return;
    } else if (code === 0x3c && content[lexer.at + 1] !== code) {
      if (!skipHexString(lexer)) return;
    } else if ("()<>[]{}/".includes(String.fromCharCode(code))) {
      lexer.at++;
      if (code === 0x2f) skipRegular(lexer);
    } else {
      const from = skipRegular(lexer);
      const operator = latin1(content, { from, to: Math.min(lexer.at, from + LONGEST_OPERATOR) });
      if (operator === "BI" && !skipToImageEnd(lexer)) return;
      if (/^[A-Za-z'"]/.test(operator)) visit({ operator, from, to: lexer.at });
    }
  }
}

const LONGEST_OPERATOR = 4;

/** Moves past the next EI that stands alone; false where there is none. */
function skipToImageEnd(lexer: Lexer): boolean {
  const { bytes } = lexer;
  let at = findKeyword(bytes, { word: "EI", from: lexer.at });
  while (
    at >= 0 &&
    !(isWhitespace(bytes[at - 1]) && (at + 2 === bytes.length || isWhitespace(bytes[at + 2])))
  )
    at = findKeyword(bytes, { word: "EI", from: at + 1 });
  if (at >= 0) lexer.at = at + 2;
  return at >= 0;
}
