import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isOffered } from "../../../wire/limits.ts";
import { secretLimits } from "../../api/limits.ts";
import { instance } from "../../app/instance.ts";
import { useDraft } from "../../app/paths/history.ts";
import { formatDuration } from "../../app/language/format.ts";
import { fill, words } from "../../app/language/words.ts";
import { Field, Select } from "../../parts/field.tsx";

type Lifetime = ReturnType<typeof useLifetime>;

const UNIT_SECONDS = { minutes: 60, hours: 3600, days: 86_400 } as const;
const CHOICES = [300, 3600, 86_400, 604_800, 2_592_000, 7_776_000];
const OWN = "own";

/** The choice, or the instance's default, which a page on a slow network learns after it is drawn. */
function chosen(choice: Signal<string>): string {
  const { lifetimes } = secretLimits.value;
  const isCustom = choice.value === OWN && lifetimes.offered === undefined;
  const isThere = isCustom || isOffered(Number(choice.value), lifetimes);
  return (isThere && choice.value) || String(instance.value.limits.secretExpiresDefault);
}

/** The lifetime being chosen, from the list or as a custom amount; Back restores it. */
export function useLifetime() {
  return {
    choice: useDraft("choice", ""),
    amount: useDraft("amount", "2"),
    unit: useDraft<keyof typeof UNIT_SECONDS>("unit", "hours"),
  };
}

/** The chosen seconds; undefined when they are not within the limits. */
export function lifetimeSeconds({ choice, amount, unit }: Lifetime): number | undefined {
  const isOwn = chosen(choice) === OWN;
  const seconds = isOwn ? Number(amount.value) * UNIT_SECONDS[unit.value] : Number(chosen(choice));
  return isOffered(seconds, secretLimits.value.lifetimes) ? seconds : undefined;
}

/** How long a secret waits for its reader. */
export function LifetimeField({ lifetime, label }: { lifetime: Lifetime; label: string }) {
  return (
    <div class="stack">
      <Field label={label}>{({ id }) => <LifetimeChoice lifetime={lifetime} id={id} />}</Field>
      <OwnLifetime lifetime={lifetime} />
    </div>
  );
}

/** Only the choice; without the id of a label, it has a label of its own. */
export function LifetimeChoice({ lifetime: { choice }, id }: { lifetime: Lifetime; id?: string }) {
  const text = words().lifetime;
  const { secretExpiresDefault } = instance.value.limits;
  const { lifetimes } = secretLimits.value;
  const isFree = lifetimes.offered === undefined;
  const choices = [...new Set(lifetimes.offered ?? [...CHOICES, secretExpiresDefault])]
    .filter((seconds) => isOffered(seconds, lifetimes))
    .sort((a, b) => a - b);
  const shown = useSoon() ? choices : choices.filter((seconds) => String(seconds) === chosen(choice));
  return (
    <select
      id={id}
      aria-label={id ? undefined : text.label}
      title={id ? undefined : text.label}
      value={chosen(choice)}
      onChange={({ currentTarget }) => (choice.value = currentTarget.value)}
    >
      {shown.map((seconds) => (
        <option key={seconds} value={String(seconds)}>
          {formatDuration(seconds)}
        </option>
      ))}
      {isFree && <option value={OWN}>{text.own}</option>}
    </select>
  );
}

/** False in the first drawing: naming all lifetimes takes a phone a tenth of a second. */
function useSoon(): boolean {
  const isSoon = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isSoon.value = true));
    return () => clearTimeout(timer);
  }, []);
  return isSoon.value;
}

/** The custom amount, where that is chosen. */
export function OwnLifetime({ lifetime }: { lifetime: Lifetime }) {
  const { choice, amount, unit } = lifetime;
  if (chosen(choice) !== OWN) return null;
  const text = words().lifetime;
  const { minutes, hours, days } = text.units;
  const { minimum, maximum } = secretLimits.value.lifetimes;
  const range = { from: formatDuration(minimum), to: formatDuration(maximum) };
  return (
    <Field label={text.amount} hint={fill(text.range, range)}>
      {(ids) => (
        <div class="beside">
          <input
            {...ids}
            type="number"
            min={1}
            required
            value={amount.value}
            aria-invalid={lifetimeSeconds(lifetime) === undefined ? true : undefined}
            onInput={({ currentTarget }) => (amount.value = currentTarget.value)}
          />
          <Select aria-label={text.unit} value={unit} names={{ minutes, hours, days }} />
        </div>
      )}
    </Field>
  );
}
