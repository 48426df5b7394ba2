import { CliError, EXIT } from "./exit.ts";

const PASSWORD_OPTION = /^--?(pass|passwd|(?:owner-?)?password|passphrase|pw|open-?with|token)(=.*)?$/i;
const TOKEN = /service_token_[0-9A-Za-z]/;

const REASON =
  "everybody on this machine can read the arguments of a program, and the shell keeps them in its history. ";
const ELSEWHERE = "Wait for the prompt, or use --password-fd N or HUSHKIT_PASSWORD.";

/**
 * Refuses a password or token among the arguments, and never repeats it.
 * @throws CliError usage
 */
export function refuseSecrets(argv: readonly string[]): void {
  const end = argv.indexOf("--");
  for (const word of end < 0 ? argv : argv.slice(0, end)) {
    const [, option] = PASSWORD_OPTION.exec(word) ?? [];
    if (option) throw refused(`--${option.toLowerCase()} is not taken: ${REASON}`, option);
    if (/^-p./.test(word)) throw refused(`-p takes no value: ${REASON}`);
    if (TOKEN.test(word)) throw refused(`A token is not taken as an argument: ${REASON}`, "token");
  }
}

function refused(sentence: string, option = ""): CliError {
  const isToken = option.toLowerCase() === "token";
  return new CliError(EXIT.usage, sentence + (isToken ? "Use HUSHKIT_TOKEN or `hushkit login`." : ELSEWHERE));
}
