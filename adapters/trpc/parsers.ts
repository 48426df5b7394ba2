import type { parseCalls, parseFrame } from "../../wire/json/json-calls.ts";
import type { parseFiles, parseTexts } from "../../wire/json/json-files.ts";
import type { RequestContext } from "./request-context.ts";

type Parser<Read extends (...args: never[]) => unknown> = (
  args: Parameters<Read>,
  context: RequestContext,
) => Promise<ReturnType<Read>>;

/** What reads the JSON of bodies that are long, or that hold files; bytes in `args` are given away. */
export interface Parsers {
  readonly parseFiles: Parser<typeof parseFiles>;
  /** Without these three, long JSON is parsed like short JSON. */
  readonly parseTexts?: Parser<typeof parseTexts>;
  readonly parseCalls?: Parser<typeof parseCalls>;
  readonly parseFrame?: Parser<typeof parseFrame>;
}
