import { words, fill } from "../app/language/words.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatDuration, formatNumber } from "../app/language/format.ts";
import { SecretField } from "../parts/field.tsx";
import { JobView, useJob } from "../parts/job.tsx";
import { runHere } from "../work/run.ts";

const MAX_BITS = 128;
const GRADES = [
  { below: 45, kind: "bad", name: "weak" },
  { below: 65, kind: "warn", name: "fair" },
  { below: 90, kind: "good", name: "strong" },
  { below: Infinity, kind: "good", name: "veryStrong" },
] as const;

/** How hard a password is to guess, in bits, as a grade, a bar and `text`. */
export function Strength({ bits, text }: { bits: number; text: string }) {
  const t = words().password;
  const { kind, name } = GRADES.find(({ below }) => bits < below) ?? GRADES[3];
  const share = Math.min(1, bits / MAX_BITS);
  return (
    <div class="strength">
      <p>
        <span class={`tag ${kind}`}>{t.grades[name].name}</span> <span>{text}</span>
      </p>
      <meter class={kind} min={0} max={1} value={share} aria-label={t.strength} />
      <p class="hint">{t.grades[name].note}</p>
    </div>
  );
}

const TYPING_MS = 300;
/** Guesses per second at what a server has stored: with a fast hash, and with one that is slow on purpose. */
const RATES = { fast: 1e10, slow: 1e4 } as const;
const [DAY, YEAR] = [86_400, 31_557_600];

/** Says how hard somebody's own password is to guess. It stays in the page, and is not stored. */
export function OwnPassword() {
  const t = words().password;
  const password = useSignal("");
  const job = useJob<number>();
  const text = password.value;
  useEffect(() => {
    if (text === "") return job.clear();
    // Updated after a pause: at each letter it would reveal the length to somebody who looks on.
    const wait = setTimeout(
      () => void job.start((control) => runHere("countGuesses", [text], control)),
      TYPING_MS,
    );
    return () => clearTimeout(wait);
  }, [text]);
  const state = job.state.value;
  return (
    <details>
      <summary>{t.own}</summary>
      <SecretField label={t.ownLabel} value={password} hint={t.ownHint} />
      <div aria-live="polite">{state.is === "done" && text !== "" && <Guesses log10={state.result} />}</div>
      {state.is === "failed" && <JobView job={job} doing={t.own} />}
    </details>
  );
}

function Guesses({ log10 }: { log10: number }) {
  const t = words().password;
  const guesses = `10^${formatNumber(Math.round(log10))}`;
  return (
    <>
      <Strength bits={log10 * Math.log2(10)} text={fill(t.guesses, { guesses })} />
      <ul>
        <li>{fill(t.fast, { time: formatTime(log10, RATES.fast) })}</li>
        <li>{fill(t.slow, { time: formatTime(log10, RATES.slow) })}</li>
      </ul>
    </>
  );
}

function formatTime(log10: number, rate: number): string {
  const t = words().password;
  const seconds = 10 ** (log10 - Math.log10(rate));
  if (seconds < 1) return t.instantly;
  if (seconds > 100 * YEAR) return t.centuries;
  const unit = [DAY, 3600, 60, 1].find((each) => seconds >= each) ?? 1;
  return formatDuration(Math.round(seconds / unit) * unit);
}
