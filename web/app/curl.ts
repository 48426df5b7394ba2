/** One argument for a POSIX shell. */
export function quoteForShell(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface ToolCommand {
  readonly tool: string;
  readonly fileName: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Whether the call needs a password; it is read from the environment and not written into the line. */
  readonly hasPassword?: boolean;
  readonly output?: string;
}

/** The curl line that makes a tool's call on this server. */
export function curlToolCommand({ tool, fileName, query = {}, hasPassword, output }: ToolCommand): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given as [string, string][]).toString();
  const url = `${location.origin}/api/tools/${tool}${search ? `?${search}` : ""}`;
  const header = hasPassword ? ` -H "Tool-Password: $PASSWORD"` : "";
  return `curl --data-binary ${quoteForShell(`@${fileName}`)}${header} ${quoteForShell(url)}${output ? ` -o ${quoteForShell(output)}` : ""}`;
}

/** The curl line that sends a tool JSON. */
export function curlJsonCommand(tool: string, body: object): string {
  return `curl --json ${quoteForShell(JSON.stringify(body))} ${location.origin}/api/tools/${tool}`;
}
