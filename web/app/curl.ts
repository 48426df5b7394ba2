import { SERVER_URL } from "./paths/base.ts";

/** A text as one argument for a POSIX shell. */
export function quoteForShell(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export interface ToolCall {
  readonly tool: string;
  readonly fileName: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Whether the call needs a password. The command reads it from the environment. */
  readonly hasPassword?: boolean;
  /** More of those, with the variables that contain them, such as `$OWNER_PASSWORD`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly output?: string;
}

/** The curl command that calls a tool with a file. */
export function curlToolCommand({
  tool,
  fileName,
  query = {},
  hasPassword,
  headers = {},
  output,
}: ToolCall): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ).toString();
  const url = `${SERVER_URL}/api/tools/${tool}${search ? `?${search}` : ""}`;
  const secrets = { ...(hasPassword && { "Tool-Password": "$PASSWORD" }), ...headers };
  const header = Object.entries(secrets)
    .map(([name, value]) => ` -H "${name}: ${value}"`)
    .join("");
  return `curl --data-binary ${quoteForShell(`@${fileName}`)}${header} ${quoteForShell(url)}${output ? ` -o ${quoteForShell(output)}` : ""}`;
}

/** The curl command that calls a tool with JSON. */
export function curlJsonCommand(tool: string, body: object): string {
  return `curl --json ${quoteForShell(JSON.stringify(body))} ${SERVER_URL}/api/tools/${tool}`;
}
