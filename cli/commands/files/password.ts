import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { printJson, type Io } from "../../terminal/io.ts";

export function passwordCommand(io: Io) {
  return defineCommand("password", {
    summary: "Generate passwords or passphrases",
    description: "Twenty letters and digits from the system's random source, or words from a list of 512.",
    examples: [
      "hushkit password",
      "hushkit password --words 7",
      "hushkit password --length 32 --symbols --count 5",
    ],
  })
    .addOption(new Option("--words <n>", "a passphrase of so many words").argParser(whole(64)))
    .addOption(new Option("--separator <text>", "between the words").default("-"))
    .addOption(new Option("--capitalize", "every word with a capital").default(false))
    .addOption(new Option("--digit", "a digit after one of the words").default(false))
    .addOption(
      new Option("--length <n>", "characters; 20 without it").argParser(whole(1024)).conflicts("words"),
    )
    .addOption(new Option("--no-uppercase", "without A to Z"))
    .addOption(new Option("--no-digits", "without 0 to 9"))
    .addOption(new Option("--symbols", "with punctuation too").default(false))
    .addOption(new Option("--exclude-ambiguous", "without 0 O 1 l I").default(false))
    .addOption(
      new Option("--min-entropy <bits>", "as long as it takes for so many bits")
        .argParser(wholeNumberOf({ minimum: 20, maximum: 1024 }))
        .conflicts(["length", "words"]),
    )
    .addOption(new Option("--count <n>", "how many").argParser(whole(1000)).default(1))
    .addOption(shared.json())
    .action(async ({ json, words, ...options }) => {
      const { generatePasswords } = await import("../../../tools/password.ts");
      const mode = words === undefined ? {} : ({ mode: "words", words } as const);
      const made = generatePasswords({ ...options, ...mode });
      if (json) return printJson(io, made);
      await io.stdout.write(made.passwords.map((password) => `${password}\n`).join(""));
    });
}

function whole(maximum: number) {
  return wholeNumberOf({ minimum: 1, maximum });
}
