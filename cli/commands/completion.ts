import { Argument, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { defineCommand } from "../definition.ts";
import { print, type Io } from "../terminal/io.ts";

export function completionCommand(io: Io, wholeProgram: () => Promise<CommandUnknownOpts>) {
  return defineCommand("completion", {
    summary: "Print a script that lets a shell complete commands and options",
    examples: [
      "hushkit completion bash > /etc/bash_completion.d/hushkit",
      "hushkit completion zsh > ~/.zsh/functions/_hushkit",
      "hushkit completion fish > ~/.config/fish/completions/hushkit.fish",
    ],
  })
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"] as const))
    .action(async (shell) => {
      const { completionScript } = await import("../docs/completion.ts");
      await print(io, completionScript(await wholeProgram(), shell));
    });
}
