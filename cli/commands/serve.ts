import { defineCommand, wholeNumberOf } from "../definition.ts";

export function serveCommand() {
  return defineCommand("serve", {
    summary: "Run the server",
    description:
      "Runs until it is stopped. All settings are environment variables, such as DATABASE_URL and PUBLIC_URL; see " +
      "docs/operations.md.",
    examples: ["hushkit serve", "DATABASE_URL=/var/lib/hushkit.db hushkit serve --port 8080"],
  })
    .option("--port <n>", "where to listen, instead of PORT", wholeNumberOf({ minimum: 0, maximum: 65_535 }))
    .action(async ({ port }) => {
      if (port !== undefined) process.env.PORT = String(port);
      // Loading this module starts the server, as `npm start` does.
      await import("../../server/main.ts");
    });
}
