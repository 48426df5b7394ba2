import { spawnSync, type StdioOptions } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HUSHKIT = fileURLToPath(new URL("../../bin/hushkit.mjs", import.meta.url));

const FILES = {
  "before.yml": "host: db1.example\nport: 5432\npool: 10\ntls: off\n",
  "after.yml": "host: db2.example\nport: 5432\npool: 40\ntls: on\n",
  "release.tar.gz": "hush".repeat(1000),
};

const COMMANDS = [
  "hushkit diff before.yml after.yml",
  "hushkit diff --words before.yml after.yml",
  "hushkit hash release.tar.gz | tee SHA256SUMS",
  "hushkit hash --check SHA256SUMS",
];

/** Runs the commands in a real terminal and gives a page that shows what it showed. */
export function terminalPage(folder: string): string {
  for (const [name, content] of Object.entries(FILES)) writeFileSync(`${folder}/${name}`, content);
  const shown = COMMANDS.map((line) => `<b>$ ${escapeHtml(line)}</b>\n${paint(run(line, folder))}`);
  return `<!doctype html><style>${STYLE}</style><pre>${shown.join("\n")}</pre>`;
}

// script(1) makes the terminal: without one there are no colours.
function run(line: string, cwd: string): string {
  const define = `hushkit() { "${process.execPath}" "${HUSHKIT}" "$@"; }`;
  const env = { ...process.env, TERM: "xterm", NO_COLOR: "", HOME: cwd };
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
  const options = { cwd, env, stdio, encoding: "utf8" } as const;
  const { stdout } = spawnSync("script", ["-qefc", `${define}; ${line}`, "/dev/null"], options);
  return stdout.replaceAll("\r", "");
}

const CLASSES: Readonly<Record<string, string>> = { 1: "bold", 2: "dim", 31: "red", 32: "green", 36: "cyan" };

function paint(text: string): string {
  // oxlint-disable-next-line no-control-regex -- What a terminal is told colours with (ECMA-48, SGR).
  return escapeHtml(text).replace(/\x1b\[(\d+)m(.*?)\x1b\[0m/g, (_, code: string, inside: string) => {
    return `<span class="${CLASSES[code] ?? ""}">${inside}</span>`;
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const STYLE = `
  :root { color-scheme: light dark; --red: #b3261e; --green: #146c2e; --cyan: #00677d; }
  @media (prefers-color-scheme: dark) { :root { --red: #ff8a80; --green: #7fd99a; --cyan: #7fd3e8; } }
  body { margin: 0; padding: 24px 28px; background: light-dark(#fbfbfa, #17181a); color: light-dark(#1d1f21, #e6e6e3); }
  pre { margin: 0; font: 16px/1.5 monospace; }
  .dim { opacity: 0.65; } .red { color: var(--red); } .green { color: var(--green); } .cyan { color: var(--cyan); }
`;
