import { createLog } from "./adapters/operations/log.ts";
import { runAdmin } from "./adapters/operations/admin.ts";
import { ConfigError, readConfig } from "./adapters/config/config.ts";
import { createPasswords } from "./adapters/workers/passwords.ts";
import { DatabaseTooNew, DatabaseUnavailable, openDatabase } from "./db/open.ts";

await administer().catch(endWithReason);

async function administer(): Promise<void> {
  // Beside what was asked for, which goes to standard output.
  const log = createLog({ write: (line) => console.error(line), clock: () => Date.now() });
  const db = await openDatabase(readConfig(process.env).databaseUrl);
  process.exitCode = await runAdmin(process.argv.slice(2), {
    db,
    now: () => Math.floor(Date.now() / 1000),
    passwords: createPasswords({ lane: { run: (_, work) => work() } }),
    readInput,
    write: (text) => console.log(text),
    writeError: (text) => console.error(text),
    onSecurityEvent: log.security,
  }).finally(() => db.close());
}

async function readInput(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  return text;
}

function endWithReason(error: unknown): void {
  if (error instanceof ConfigError || error instanceof DatabaseTooNew) console.error(error.message);
  else if (error instanceof DatabaseUnavailable)
    console.error("The database of DATABASE_URL cannot be opened.");
  else console.error(error);
  process.exitCode = 1;
}
