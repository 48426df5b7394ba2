import about from "../../package.json" with { type: "json" };
import { defineCommand, shared } from "../definition.ts";
import { CliError, EXIT } from "../exit.ts";
import { describeFailure } from "../failure.ts";
import { checkUrl } from "../server/connect.ts";
import { print, printJson, type Io } from "../terminal/io.ts";

export function verifyCommand(io: Io) {
  return defineCommand("verify", {
    summary: "Compare the pages of a server with those of this release",
    description:
      "Asks a server for every page and every file of them, as a browser does, and compares each byte with the pages " +
      "that came with this program. Ends with 1 where one differs, and with 6 where the server is away or something else " +
      "answers, such as a proxy or a login. A server can answer somebody else otherwise.",
    examples: ["hushkit verify https://hush.example"],
  })
    .argument("<url>", "the address of the server")
    .addOption(shared.json())
    .action(async (url, { json }) => {
      const base = checkUrl(url);
      const { comparePages } = await import("../server/compare-pages.ts");
      const { compared, version, publicUrl } = await comparePages(io, base).catch(asUnanswered);
      const differing = compared.filter(({ isSame }) => !isSame).map(({ path }) => path);
      if (json)
        await printJson(io, {
          url: base,
          version: about.version,
          publicUrl,
          compared: compared.length,
          differing,
        });
      else await print(io, `${report(base, { differing, compared: compared.length, version, publicUrl })}\n`);
      if (differing.length > 0) io.exitCode = EXIT.differs;
    });
}

/** An answer from something in between, or none at all, says nothing about the server's pages. */
function asUnanswered(error: unknown): never {
  const { exitCode, message } = describeFailure(error);
  if (exitCode === EXIT.usage) throw error;
  throw new CliError(EXIT.network, `${message} Nothing is known of its pages.`);
}

/** `version` is what the server says of itself. */
function report(
  base: string,
  of: { differing: readonly string[]; compared: number; version: string | undefined; publicUrl: string },
): string {
  const { differing, compared, version, publicUrl } = of;
  const name = publicUrl === base ? "" : ` They call it ${publicUrl}.`;
  if (differing.length === 0)
    return `${base}: all ${compared} files are those of Hushkit ${about.version}.${name}`;
  const list = differing.map((path) => `  ${path}`).join("\n");
  const other =
    version === undefined || version === about.version
      ? ""
      : `\nThe server says that it is Hushkit ${version}; compare with that one: npx hushkit@${version} verify ${base}`;
  return `${base}: ${differing.length} of ${compared} files are not those of Hushkit ${about.version}:\n${list}${other}`;
}
