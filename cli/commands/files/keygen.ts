import { defineCommand, shared } from "../../definition.ts";
import { STANDARD } from "../../files/input.ts";
import { writeOutput } from "../../files/output.ts";
import { print, printJson, type Io } from "../../terminal/io.ts";
import { utf8 } from "../../../wire/bytes.ts";

export function keygenCommand(io: Io) {
  return defineCommand("keygen", {
    summary: "Make a key pair for age files",
    description:
      "Writes an identity file as age-keygen does: keep it to yourself, it opens what is locked for its public key, which " +
      "stands in it as a comment and can be given to everybody. With -o the file is for you alone, and the public key is " +
      "printed.",
    examples: ["hushkit keygen -o identity.txt", "hushkit unlock -i identity.txt tax.pdf.age"],
  })
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.json())
    .action(async ({ output = STANDARD, force, json }) => {
      const { makeAgeKeys, writeIdentityFile } = await import("../../../tools/age/keys.ts");
      const keys = await makeAgeKeys();
      if (json && output === STANDARD) return printJson(io, keys);
      const bytes = utf8(writeIdentityFile(keys));
      await writeOutput(io, { path: output, bytes, force, isPrivate: true, isText: true });
      const { recipient } = keys;
      if (json) await printJson(io, { recipient });
      else if (output !== STANDARD) await print(io, `${recipient}\n`);
    });
}
