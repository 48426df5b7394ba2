import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { print, printJson, warn, type Io } from "../../terminal/io.ts";

export function passwordCommand(io: Io) {
  return defineCommand("password", {
    summary: "Generate passwords or passphrases",
    description:
      "Twenty letters and digits from the system's random source, words from a list (7,776 English ones if none is " +
      "chosen), or what a pattern says.",
    examples: [
      "hushkit password",
      "hushkit password --words 7",
      "hushkit password --words --list german",
      "hushkit password --length 32 --symbols --count 5",
      "hushkit password --pattern 'd{6}'",
    ],
  })
    .option("--words [n]", "a passphrase of this many words, or of as many as 64 bits need", whole(64))
    .addOption(
      new Option("--list <name>", "words to choose from").choices([
        "large",
        "short",
        "german",
        "french",
        "spanish",
      ] as const),
    )
    .addOption(
      new Option("--pattern <pattern>", "such as d{6} or H{4}-H{4}, by the letters of KeePass").conflicts([
        "words",
        "list",
        "length",
        "minEntropy",
      ]),
    )
    .option("--separator <text>", "between the words", "-")
    .option("--capitalize", "every word with a capital", false)
    .option("--digit", "a digit after one of the words", false)
    .addOption(
      new Option("--length <n>", "characters; 20 without it").argParser(whole(1024)).conflicts("words"),
    )
    .option("--no-uppercase", "without A to Z")
    .option("--no-digits", "without 0 to 9")
    .option("--symbols", "with punctuation too", false)
    .option("--symbol-set <symbols>", "with these of the punctuation only")
    .option("--require-all", "a character of each chosen class in every one", false)
    .option("--exclude-ambiguous", "without 0 O 1 l I", false)
    .addOption(
      new Option("--min-entropy <bits>", "as long as it takes for this many bits")
        .argParser(wholeNumberOf({ minimum: 20, maximum: 1024 }))
        .conflicts(["length", "words"]),
    )
    .option("--count <n>", "how many", whole(1000), 1)
    .addOption(shared.json())
    .action(async ({ json, words, ...options }) => {
      const { generateFromList } = await import("../../../tools/password.ts");
      const isPhrase = words !== undefined || options.list !== undefined;
      const mode = options.pattern !== undefined ? "pattern" : isPhrase ? "passphrase" : "characters";
      const made = await generateFromList({ ...options, ...(typeof words === "number" && { words }), mode });
      if (json) return printJson(io, made);
      await warn(io, made.ignored ? [`These options do nothing here: ${made.ignored.join(", ")}`] : []);
      await print(io, made.passwords.map((password) => `${password}\n`).join(""));
    });
}

function whole(maximum: number) {
  return wholeNumberOf({ minimum: 1, maximum });
}
