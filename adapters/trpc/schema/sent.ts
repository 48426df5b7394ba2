import { CallError } from "../../../wire/call-error.ts";

/** How deep a name may lead: `a[b]` is two. */
const MAX_DEPTH = 32;

/** What was sent by name, of which texts are still to be typed, and where each stood ("query", "body", "path", "header"). */
export interface RawInput {
  readonly values: Record<string, unknown>;
  readonly locations: Map<string, string>;
}

/** What was sent as text under one name of a query or a form: texts, or more names. */
export class Sent {
  readonly texts: string[] = [];
  readonly inner = new Map<string, Sent>();
  /** Whether it was called `name[]`, which is a list even of one. */
  isList = false;

  /** Adds a text at the end of a path of names; an empty one is the next item of a list. */
  add(path: readonly string[], text: string): void {
    const [name, ...rest] = path;
    if (name === undefined) return void this.texts.push(text);
    if (name === "" && rest.length === 0) {
      this.isList = true;
      return void this.texts.push(text);
    }
    let inner = this.inner.get(name);
    if (!inner) this.inner.set(name, (inner = new Sent()));
    inner.add(rest, text);
  }
}

/** The names in `a[b][c]`, as OpenAPI's deepObject writes a value inside of another. @throws CallError invalid_parameter */
export function namesIn(name: string): string[] {
  const at = name.indexOf("[");
  if (at <= 0 || !name.endsWith("]")) return [name];
  const inner = name.slice(at + 1, -1).split("][");
  // Some other use of brackets, which is a name like any.
  if (inner.some((each) => each.includes("[") || each.includes("]"))) return [name];
  if (inner.length < MAX_DEPTH) return [name.slice(0, at), ...inner];
  const parameter = name.slice(0, Math.min(at, 64));
  throw new CallError("invalid_parameter", `Parameter "${parameter}" is nested more than ${MAX_DEPTH} deep`, {
    parameter,
    maximum: MAX_DEPTH,
  });
}
