import "../../style/account.css";
import type { Signal } from "@preact/signals";
import { formatNumber } from "../../app/language/format.ts";
import { instance } from "../../app/instance.ts";
import { words } from "../../app/language/words.ts";
import { SomeOf } from "../../parts/some-of.tsx";

/** What opens an account besides password and recovery code, and the hooks. */
export type WayIn = "sessions" | "tokens" | "passkeys" | "totp" | "identities" | "hooks";

/** Lists what ends, each of which can be kept. */
export function KeepWays<Way extends WayIn>({
  ways,
  kept,
}: {
  ways: readonly Way[];
  kept: Signal<readonly Way[]>;
}) {
  const t = words().account.ways;
  return (
    <SomeOf legend={t.keep} all={ways.filter(isOffered)} names={names()} chosen={kept} hint={t.keepHint} />
  );
}

/** How many of each have ended, and what was kept. */
export interface RecoveryEffect {
  readonly ended: Readonly<Partial<Record<WayIn, number>>>;
  readonly kept: readonly WayIn[];
}

/** Shows what has ended. */
export function EndedWays({ ended, kept }: RecoveryEffect) {
  const t = words().account.ways;
  const ways = ORDER.filter((way) => ended[way] !== undefined && (isOffered(way) || ended[way] > 0));
  return (
    <>
      <p>{t.ended}</p>
      <dl class="counts">
        {ways.map((way) => (
          <div key={way}>
            <dt>{names()[way]}</dt>
            <dd>{kept.includes(way) ? t.kept : formatNumber(ended[way] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const ORDER: readonly WayIn[] = ["sessions", "tokens", "passkeys", "totp", "identities", "hooks"];

function names(): Readonly<Record<WayIn, string>> {
  const { ways, hooks } = words().account;
  return { ...ways.names, hooks: hooks.title };
}

// Ways that this instance does not offer need no decision.
function isOffered(way: WayIn): boolean {
  if (way === "identities") return instance.value.oidc !== null;
  // The page keeps no hooks, and names them where there were some.
  if (way === "hooks") return false;
  return way !== "passkeys" || instance.value.login.includes("passkey");
}
