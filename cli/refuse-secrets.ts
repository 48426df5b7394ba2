import { CliError, EXIT } from "./exit.ts";

const PASSWORD_OPTION = /^--?(pass|passwd|(?:owner-?)?password|passphrase|pw|open-?with|token)(=.*)?$/i;
const TOKEN = /service_token_[0-9A-Za-z]/;
// Also a slip of the finger, for the parser would repeat it.
const DATABASE_URL = /^(?:--?[a-z-]+=)?\w*(?:postgres|sql)\w*:\/\//i;
const IDENTITY = /AGE-SECRET-KEY-(?:PQ-)?1/i;

const REASON =
  "everybody on this machine can read the arguments of a program, and the shell keeps them in its history. ";
const ELSEWHERE = "Wait for the prompt, or use --password-fd N or HUSHKIT_PASSWORD.";

const IDENTITY_ELSEWHERE =
  "Keep it in a file, which --identity FILE names; --recipient takes its public key, age1….";
const DATABASE_ELSEWHERE =
  "Commands take it from DATABASE_URL, and `hushkit admin move` the other one from MOVE_TO_DATABASE_URL or --to-file FILE.";

/**
 * Refuses a password, a token, a secret key or the URL of a database among the arguments, and never repeats it.
 * @throws CliError usage
 */
export function refuseSecrets(argv: readonly string[]): void {
  if (argv.some((word) => DATABASE_URL.test(word)))
    throw refused(`The URL of a database is not taken as an argument: ${REASON}`, DATABASE_ELSEWHERE);
  const end = argv.indexOf("--");
  for (const word of end < 0 ? argv : argv.slice(0, end)) {
    const [, option] = PASSWORD_OPTION.exec(word) ?? [];
    if (option) throw refused(`--${option.toLowerCase()} is not taken: ${REASON}`, insteadOf(option));
    if (/^-p./.test(word)) throw refused(`-p takes no value: ${REASON}`, ELSEWHERE);
    if (TOKEN.test(word)) throw refused(`A token is not taken as an argument: ${REASON}`, insteadOf("token"));
    if (IDENTITY.test(word))
      throw refused(`A secret identity is not taken as an argument: ${REASON}`, IDENTITY_ELSEWHERE);
  }
}

function insteadOf(option: string): string {
  return option.toLowerCase() === "token" ? "Use HUSHKIT_TOKEN or `hushkit login`." : ELSEWHERE;
}

function refused(sentence: string, advice: string): CliError {
  return new CliError(EXIT.usage, sentence + advice);
}
