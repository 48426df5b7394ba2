import { defineCommand } from "../definition.ts";
import type { Io } from "../terminal/io.ts";

export function adminCommand(io: Io) {
  return defineCommand("admin", {
    summary: "Administer the accounts of a server's database",
    description:
      "Works on the database of DATABASE_URL, while the server runs or not. Without arguments it lists what it can do.",
    examples: ["hushkit admin user list", "hushkit admin user add ann"],
  })
    .argument("[words...]", "what to do, such as: user add NAME")
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words) => {
      // The administration reads its arguments where a program finds them.
      process.argv.splice(2, process.argv.length, ...words);
      await import("../../admin.ts");
      io.exitCode = Number(process.exitCode ?? 0);
    });
}
