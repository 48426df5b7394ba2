import type { z } from "zod";
import { SESSION_COOKIE } from "./policy/session-cookie.ts";
import { parametersOf } from "./parameters.ts";
import type { HttpMeta, Meta } from "./meta.ts";

interface Exemplified {
  readonly http: HttpMeta;
  readonly openapi: NonNullable<Meta["openapi"]>;
  readonly schema: z.ZodObject;
  readonly access: Meta["access"];
}

/** A line for a shell that calls a procedure. */
export function exampleOf({ http, openapi: { method, path }, schema, access }: Exemplified): string {
  const raw = http.text?.by === "raw" ? "?raw=true" : "";
  const url = `"$URL${path.replace("{id}", "$ID")}${raw}"`;
  const line = ["curl", ...(method === "DELETE" ? ["-X DELETE"] : []), ...(access ? [PROOF[access]] : [])];
  switch (http.body) {
    case "file":
    case "stream":
      return [...line, "--data-binary @FILE", url, ...(http.result === "file" ? ["-o RESULT"] : [])].join(
        " ",
      );
    case "files":
      return [...line, "-F file=@FIRST -F file=@SECOND", url, "-o RESULT"].join(" ");
    case "content":
      return [...line, "--data-binary @-", url].join(" ");
    case "json":
      return [...line, ...requiredJson(schema), url].join(" ");
    case "fields":
      return [...line, ...requiredFields(schema), url].join(" ");
    case "none":
      return [...line, ...(method === "POST" ? ["-X POST"] : []), url].join(" ");
  }
}

const PROOF = {
  member: '-H "Authorization: Bearer $TOKEN"',
  session: `-b "${SESSION_COOKIE}=$SESSION"`,
} as const;

function requiredJson(schema: z.ZodObject): string[] {
  const names = parametersOf(schema).flatMap(({ name, required, type }) =>
    required && type === "string" ? [name] : [],
  );
  const fields = Object.fromEntries(names.map((name) => [name, name.toUpperCase()]));
  return names.length > 0 ? [`--json '${JSON.stringify(fields)}'`] : [];
}

// Where nothing is required one of several must be given, and the first of them is the usual one.
function requiredFields(schema: z.ZodObject): string[] {
  const fields = parametersOf(schema).filter(({ name }) => name !== "id");
  const required = fields.filter((field) => field.required);
  return (required.length > 0 ? required : fields.slice(0, 1)).map(
    ({ name }) => `-d ${name}=${name.toUpperCase()}`,
  );
}
