import { Argument, Option } from "@commander-js/extra-typings";
import type { AdminWork } from "../../server/administration.ts";
import { defineCommand } from "../definition.ts";
import { readTextInput, STANDARD } from "../files/input.ts";
import { complain, print, type Io } from "../terminal/io.ts";

export function adminCommand(io: Io) {
  return defineCommand("admin", {
    summary: "Administer a server's database: accounts, backups",
    description:
      "Works on the database of DATABASE_URL, as the server does, while that runs or not; restore, move and " +
      "rotate-key need it stopped. In a clone `npm run admin -- user list` does the same. Ends with 1 where something is impossible or " +
      "wrong.",
    examples: [
      "hushkit admin user list",
      "hushkit admin user add ann",
      "hushkit admin backup /backup/hushkit.db",
    ],
  })
    .addCommand(userCommand(io))
    .addCommand(backupCommand(io))
    .addCommand(restoreCommand(io))
    .addCommand(moveCommand(io))
    .addCommand(rotateKeyCommand(io))
    .addCommand(checkCommand(io));
}

function userCommand(io: Io) {
  return defineCommand("user", {
    summary: "Add, reset, disable, delete and list members, and make them administrators",
    examples: ["hushkit admin user add ann", "hushkit admin user delete ann --secrets revoke"],
  })
    .addCommand(addCommand(io))
    .addCommand(resetCommand(io))
    .addCommand(disableCommand(io))
    .addCommand(enableCommand(io))
    .addCommand(roleCommand(io))
    .addCommand(deleteCommand(io))
    .addCommand(listCommand(io));
}

const PASSWORD_SHOWN =
  "A random password is made and shown once, unless one is given on standard input. It is good for a day, and the member " +
  "has to change it at the first login.";

function addCommand(io: Io) {
  return defineCommand("add", {
    summary: "Create a member and print password and recovery code, once",
    description: PASSWORD_SHOWN,
    examples: ["hushkit admin user add ann", "hushkit admin user add ann --password-stdin < password.txt"],
  })
    .argument("<name>", "name of the new member")
    .addOption(passwordStdin())
    .action(async (name, { passwordStdin }) => {
      const password = await readPassword(io, passwordStdin);
      await administer(io, (admin) => admin.addUser({ name, password }));
    });
}

function resetCommand(io: Io) {
  return defineCommand("reset", {
    summary: "Give a member a new password and recovery code",
    description:
      "Ends sessions, API tokens, passkeys, authenticator app, identities and hooks of the member but those to keep, and " +
      `says how many. ${PASSWORD_SHOWN}`,
    examples: ["hushkit admin user reset ann", "hushkit admin user reset ann --keep tokens passkeys"],
  })
    .argument("<name>", "name of the member")
    .addOption(passwordStdin())
    .addOption(
      new Option("--keep <ways...>", "what goes on")
        .choices(["sessions", "tokens", "passkeys", "totp", "identities", "hooks"] as const)
        .default([] as const, "nothing"),
    )
    .action(async (name, { passwordStdin, keep }) => {
      const password = await readPassword(io, passwordStdin);
      await administer(io, (admin) => admin.resetUser({ name, password, keep }));
    });
}

function disableCommand(io: Io) {
  return defineCommand("disable", {
    summary: "Let a member do nothing for a while",
    description:
      "Ends all sessions; passwords, passkeys and API tokens of the member fail. Nothing is deleted, and links go on " +
      "working.",
    examples: ["hushkit admin user disable ann"],
  })
    .argument("<name>", "name of the member")
    .action((name) => administer(io, (admin) => admin.disableUser(name)));
}

function enableCommand(io: Io) {
  return defineCommand("enable", {
    summary: "Let a disabled member log in again",
    examples: ["hushkit admin user enable ann"],
  })
    .argument("<name>", "name of the member")
    .action((name) => administer(io, (admin) => admin.enableUser(name)));
}

function roleCommand(io: Io) {
  return defineCommand("role", {
    summary: "Make a member an administrator, who has the page /members, or no longer one",
    examples: ["hushkit admin user role ann admin", "hushkit admin user role ann member"],
  })
    .argument("<name>", "name of the member")
    .addArgument(new Argument("<role>", "what the member is").choices(["admin", "member"] as const))
    .action((name, role) => administer(io, (admin) => admin.setRole({ name, role })));
}

function deleteCommand(io: Io) {
  return defineCommand("delete", {
    summary: "Delete a member, and the member's unread secrets or not",
    examples: ["hushkit admin user delete ann --secrets revoke"],
  })
    .argument("<name>", "name of the member")
    .addOption(
      new Option("--secrets <fate>", "whether unread secrets can still be opened")
        .choices(["keep", "revoke"] as const)
        .makeOptionMandatory(),
    )
    .action((name, { secrets }) => administer(io, (admin) => admin.deleteUser({ name, secrets })));
}

function listCommand(io: Io) {
  return defineCommand("list", {
    summary:
      "List all members, with the time when they were made, the id that the audit log has, and who is an administrator or disabled",
    examples: ["hushkit admin user list"],
  }).action(() => administer(io, (admin) => admin.listUsers()));
}

function backupCommand(io: Io) {
  return defineCommand("backup", {
    summary: "Copy the database to a new file, and check the copy",
    description: "The server may run meanwhile. A file that exists is never overwritten.",
    examples: ["hushkit admin backup /backup/hushkit.db"],
  })
    .argument("<file>", "the file to make")
    .action((file) => administer(io, (admin) => admin.backUp(file)));
}

function restoreCommand(io: Io) {
  return defineCommand("restore", {
    summary: "Put a copy in the place of the database; the server must be stopped",
    description:
      "After it nobody is logged in, tokens are gone, and unread secrets are revoked, for they may have been read " +
      "since the copy was made; with --secrets keep they can be opened.",
    examples: [
      "hushkit admin restore /backup/hushkit.db",
      "hushkit admin restore /backup/hushkit.db --secrets keep",
    ],
  })
    .argument("<file>", "a file that `hushkit admin backup` made")
    .addOption(
      new Option("--secrets <fate>", "whether unread secrets can be opened")
        .choices(["keep", "revoke"] as const)
        .default("revoke" as const),
    )
    .action((file, { secrets }) => administer(io, (admin) => admin.restore(file, { secrets })));
}

function moveCommand(io: Io) {
  return defineCommand("move", {
    summary: "Copy everything to another, empty database; the server must be stopped",
    description:
      "From the database of DATABASE_URL to that of MOVE_TO_DATABASE_URL, or of a file that only you can read. It " +
      "must be empty, and the server stopped. A URL is not taken as an argument, which everybody on this machine could read.",
    examples: ["hushkit admin move --to-file /etc/hushkit/new-database.url", "hushkit admin move"],
  })
    .option("--to-file <file>", "a file with the URL of the other database, in place of MOVE_TO_DATABASE_URL")
    .action(({ toFile }) => administer(io, (admin) => admin.move({ toFile })));
}

function rotateKeyCommand(io: Io) {
  return defineCommand("rotate-key", {
    summary: "Put another key in the place of the instance's; the server must be stopped",
    description:
      "Makes a new key, or takes that of INSTANCE_KEY_NEXT, and seals the authenticator apps of members with it. The " +
      "old key stays beside as instance.key.before-TIME: older backups need it. Run it again where it was cut off.",
    examples: ["hushkit admin rotate-key", "hushkit admin rotate-key --lost"],
  })
    .option(
      "--lost",
      "go on without the key of the database: authenticator apps stop working, and members log in with their " +
        "recovery code",
    )
    .action(({ lost: isLost = false }) => administer(io, (admin) => admin.rotateKey({ isLost })));
}

function checkCommand(io: Io) {
  return defineCommand("check", {
    summary: "Look whether the database is sound, and confirm the clock",
    description:
      "Ends with 1 where something is wrong, also with the login by OIDC_ISSUER, which it asks for its metadata. After the clock has jumped nothing expires until this command has shown " +
      "what it says.",
    examples: ["hushkit admin check", "hushkit admin check --no-confirm"],
  })
    .option("--no-confirm", "only look: a clock that jumped stays in doubt")
    .action(({ confirm }) => administer(io, (admin) => admin.check({ confirm })));
}

function passwordStdin() {
  return new Option("--password-stdin", "take the password from standard input");
}

// `echo` adds a line end and `printf` does not; the password never includes it.
async function readPassword(io: Io, isGiven = false): Promise<string | undefined> {
  return isGiven ? (await readTextInput(io, STANDARD)).replace(/\r?\n$/, "") : undefined;
}

// The database is loaded here: no other command needs it.
async function administer(io: Io, work: AdminWork): Promise<void> {
  const { administer: run } = await import("../../server/administration.ts");
  const { exitCode, out, err } = await run(io.env, work);
  io.exitCode = exitCode;
  for (const line of err) await complain(io.stderr, `${line}\n`);
  for (const line of out) await print(io, `${line}\n`);
}
