import { addValue, defineCommand, shared } from "../definition.ts";
import { note, type Io } from "../terminal/io.ts";

export function mcpCommand(io: Io) {
  return defineCommand("mcp", {
    summary: "Let an agent use the tools, by the Model Context Protocol",
    description:
      "An agent starts it and speaks with it on standard input and output. It works on files below the folders of --allow " +
      "and on no others. What is sent, and every password, is named by file:PATH or env:NAME and does not pass through the " +
      "model; secrets are opened into files only. It asks the server of HUSHKIT_URL and the hosts of --allow-host, and " +
      "writes no file under a dangerous name. See docs/mcp.md.",
    examples: [
      "hushkit mcp --allow ~/shared",
      "hushkit mcp --allow ~/shared --links-to-files",
      "hushkit mcp --allow ~/shared --allow-host hush.example",
    ],
  })
    .option("--allow <folder>", "where files may be read and written; may be repeated", addValue)
    .option(
      "--allow-host <host>",
      "whose links may be asked, beside the server of HUSHKIT_URL; may be repeated",
      addValue,
    )
    .addOption(shared.anyName())
    .option("--links-to-files", "write links that open something to files, and never into an answer", false)
    .action(async ({ allow = [], allowHost = [], anyName = false, linksToFiles }) => {
      await note(io, "An agent speaks with this on standard input and output; Ctrl-D ends it.");
      const { serveMcp } = await import("../mcp/serve.ts");
      await serveMcp(io, { allow, allowHost, anyName, linksToFiles });
    });
}
