import { words } from "../app/language/words.ts";
import { Icon, type IconName } from "../parts/icon.tsx";

const STEPS = [
  ["sealed", "lock"],
  ["sent", "share"],
  ["opened", "open"],
] as const satisfies readonly (readonly [string, IconName])[];

/** The way of a secret in three pictures: sealed, sent, opened. Each has the colour that it has on the other pages. */
export function Journey() {
  const t = words().trust.journey;
  return (
    <ol class="journey">
      {STEPS.map(([step, icon]) => (
        <li key={step} class={step}>
          <span class="station">
            <Icon name={icon} size={22} />
          </span>
          <div>
            <strong>{t[step].title}</strong>
            <p class="hint">{t[step].text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
