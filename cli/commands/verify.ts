import about from "../../package.json" with { type: "json" };
import { defineCommand, shared } from "../definition.ts";
import { EXIT } from "../exit.ts";
import { checkUrl } from "../server/connect.ts";
import { print, printJson, type Io } from "../terminal/io.ts";

export function verifyCommand(io: Io) {
  return defineCommand("verify", {
    summary: "Compare the pages of a server with those of this release",
    description:
      "Asks a server for every page and every file of them, as a browser does, and compares each byte with the pages " +
      "that came with this program. Ends with 1 where one differs. A server can answer somebody else otherwise.",
    examples: ["hushkit verify https://hush.example"],
  })
    .argument("<url>", "the address of the server")
    .addOption(shared.json())
    .action(async (url, { json }) => {
      const base = checkUrl(url);
      const { comparePages } = await import("../server/compare-pages.ts");
      const compared = await comparePages(io, base);
      const differing = compared.filter(({ isSame }) => !isSame).map(({ path }) => path);
      if (json)
        await printJson(io, { url: base, version: about.version, compared: compared.length, differing });
      else await print(io, `${report(base, { differing, compared: compared.length })}\n`);
      if (differing.length > 0) io.exitCode = EXIT.differs;
    });
}

function report(base: string, { differing, compared }: { differing: string[]; compared: number }): string {
  if (differing.length === 0) return `${base}: all ${compared} files are those of Hushkit ${about.version}.`;
  const list = differing.map((path) => `  ${path}`).join("\n");
  return `${base}: ${differing.length} of ${compared} files are not those of Hushkit ${about.version}:\n${list}`;
}
