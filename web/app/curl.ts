/** One argument for a POSIX shell. */
export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface ToolLine {
  readonly tool: string;
  readonly fileName: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Whether the call needs a password; it is read from the environment and not written into the line. */
  readonly hasPassword?: boolean;
  readonly output?: string;
}

/** The curl line that makes a tool's call on this server. */
export function toolLine({ tool, fileName, query = {}, hasPassword, output }: ToolLine): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given as [string, string][]).toString();
  const url = `${location.origin}/api/tools/${tool}${search ? `?${search}` : ""}`;
  const header = hasPassword ? ` -H "Tool-Password: $PASSWORD"` : "";
  return `curl --data-binary ${quote(`@${fileName}`)}${header} ${quote(url)}${output ? ` -o ${quote(output)}` : ""}`;
}

/** The curl line that sends a tool JSON. */
export function jsonLine(tool: string, body: object): string {
  return `curl --json ${quote(JSON.stringify(body))} ${location.origin}/api/tools/${tool}`;
}
