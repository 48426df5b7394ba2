import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs as graphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";

/** Further characters cannot make it weaker, and every pair of positions is examined. */
const MAX_LENGTH = 100;

let estimator: ZxcvbnFactory | undefined;

/** The logarithm, to base 10, of the guesses that a patient attacker needs for a password. */
export function countGuesses(password: string): number {
  estimator ??= new ZxcvbnFactory({ dictionary: { ...common, ...english }, graphs });
  return estimator.check(password.slice(0, MAX_LENGTH)).guessesLog10;
}
