import { parseArgs } from "node:util";
import {
  addAccount,
  AdminError,
  deleteAccount,
  listAccounts,
  resetAccount,
  type AccountCredentials,
  type AdminServices,
} from "../../router/administration.ts";
import type { SecurityEvent } from "../../router/policy/security-events.ts";

const HELP = `hushkit admin COMMAND, or in a clone: npm run admin -- COMMAND

  user add NAME [--password-stdin]      create a member
  user reset NAME [--password-stdin]    new password and recovery code; ends all sessions
  user delete NAME --secrets keep       delete a member; unread secrets can still be read
  user delete NAME --secrets revoke     delete a member and all unread secrets
  user list                             all members

A random password is made and shown once, unless one is given on standard input. The database is the one in
DATABASE_URL, as for the server, which may be running.`;

export interface Terminal extends AdminServices {
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Called for what was changed, so that somebody else can be alerted. */
  readonly onSecurityEvent: (event: SecurityEvent) => void;
}

interface Options {
  readonly "password-stdin"?: boolean;
  readonly secrets?: string;
  readonly help?: boolean;
}

/** Does what an administrator asks for. Answers the exit code: 0 done, 1 impossible, 2 not understood. */
export async function runAdmin(args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "password-stdin": { type: "boolean" },
        secrets: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    return await runCommand(positionals, { values, terminal });
  } catch (error) {
    const isUsage = error instanceof TypeError && "code" in error;
    if (!isUsage && !(error instanceof AdminError)) throw error;
    terminal.writeError(error.message);
    return isUsage ? 2 : 1;
  }
}

async function runCommand(
  words: readonly string[],
  { values, terminal }: { values: Options; terminal: Terminal },
): Promise<0 | 2> {
  const [subject, verb, name = "", ...more] = words;
  const command = subject === "user" && more.length === 0 && (name !== "") === (verb !== "list") && verb;
  switch (values.help ? "help" : command) {
    case "add":
      return finish("account_added", {
        credentials: await addAccount({ name, password: await readPassword(values, terminal) }, terminal),
        terminal,
      });
    case "reset":
      return finish("account_reset", {
        credentials: await resetAccount({ name, password: await readPassword(values, terminal) }, terminal),
        terminal,
      });
    case "delete":
      return remove(name, { secrets: values.secrets, terminal });
    case "list":
      for (const member of await listAccounts(terminal)) terminal.write(`${member.name}\t${member.created}`);
      return 0;
    case "help":
      terminal.write(HELP);
      return 0;
    default:
      terminal.writeError(HELP);
      return 2;
  }
}

// `echo` and `printf` differ in the newline at the end, which is not meant.
async function readPassword(values: Options, { readInput }: Terminal): Promise<string | undefined> {
  return values["password-stdin"] ? (await readInput()).replace(/\r?\n$/, "") : undefined;
}

function finish(
  event: SecurityEvent,
  { credentials, terminal }: { credentials: AccountCredentials; terminal: Terminal },
): 0 {
  terminal.onSecurityEvent(event);
  const { name, password, recoveryCode } = credentials;
  const { write } = terminal;
  write(`name\t${name}`);
  if (password !== undefined) write(`password\t${password}`);
  write(`recovery code\t${recoveryCode}`);
  return 0;
}

async function remove(
  name: string,
  { secrets, terminal }: { secrets: string | undefined; terminal: Terminal },
): Promise<0 | 2> {
  if (secrets !== "keep" && secrets !== "revoke") {
    terminal.writeError(
      "Choose what happens to the member's unread secrets: --secrets keep or --secrets revoke.",
    );
    return 2;
  }
  await deleteAccount({ name, secrets }, terminal);
  terminal.onSecurityEvent("account_deleted");
  terminal.write(`deleted\t${name}`);
  return 0;
}
