import { words } from "../app/language/words.ts";

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
