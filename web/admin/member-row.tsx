import { useSignal } from "@preact/signals";
import { server } from "../api/server.ts";
import { formatRelativeTime, formatTime } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { KeepWays, type WayIn } from "../account/ways/ways-in.tsx";
import { instance } from "../app/instance.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Choices } from "../parts/field.tsx";

export type ListedMember = Awaited<ReturnType<typeof server.admin.members.query>>["members"][number];

/** What an administrator can do with a member. */
export type MemberAct =
  "disable" | "enable" | { readonly reset: readonly WayIn[] } | { readonly delete: "keep" | "revoke" };

/** What a reset ends. */
const RESET_WAYS: readonly WayIn[] = ["sessions", "tokens", "passkeys", "totp", "identities"];

interface RowProps {
  readonly member: ListedMember;
  /** Whether it is the administrator's own account. */
  readonly isOwn: boolean;
  readonly onAct: (act: MemberAct) => void;
}

/** A member, with counts and actions. */
export function MemberRow({ member, isOwn, onAct }: RowProps) {
  const t = words().admin;
  const { name, isAdmin, disabled } = member;
  return (
    <li>
      <div>
        <p>
          <strong class="name">{name}</strong> {isOwn && <span class="tag">{t.you}</span>}{" "}
          {isAdmin && <span class="tag good">{t.administrator}</span>}{" "}
          {disabled !== null && <span class="tag warn">{t.disabled}</span>}
        </p>
        <p class="hint">{factsOf(member).join(" · ")}</p>
        {!isOwn && (
          <details aria-label={name}>
            <summary aria-label={fill(t.manageLabel, { name })}>{t.manage}</summary>
            <Management member={member} onAct={onAct} />
          </details>
        )}
      </div>
    </li>
  );
}

function factsOf({ created, lastUsed, secrets, tokens }: ListedMember): string[] {
  const t = words().admin;
  return [
    fill(t.since, { time: formatTime(created) }),
    lastUsed === null ? t.unused : fill(t.lastUsed, { time: formatRelativeTime(lastUsed) }),
    fill(t.secrets, { count: secrets }),
    fill(t.tokens, { count: tokens }),
  ];
}

function Management({ member, onAct }: Pick<RowProps, "member" | "onAct">) {
  const { admin: t, account } = words();
  const secrets = useSignal<"keep" | "revoke">("keep");
  const kept = useSignal<readonly WayIn[]>([]);
  return (
    <div class="stack">
      {instance.value.login.includes("password") && (
        <details>
          <summary>{t.reset}</summary>
          <div class="stack">
            <p class="hint">{t.resetHint}</p>
            <KeepWays ways={RESET_WAYS} kept={kept} />
            <div class="actions">
              <ConfirmButton
                action={t.resetSubmit}
                confirm={t.resetConfirm}
                onConfirm={() => onAct({ reset: kept.value })}
              />
            </div>
          </div>
        </details>
      )}
      <div class="actions">
        {member.disabled === null ? (
          <>
            <ConfirmButton action={t.disable} confirm={t.disableConfirm} onConfirm={() => onAct("disable")} />
            <p class="hint">{t.disableHint}</p>
          </>
        ) : (
          <button type="button" class="small" onClick={() => onAct("enable")}>
            {t.enable}
          </button>
        )}
      </div>
      <Choices label={account.settings.secrets} value={secrets} choices={account.settings.secretChoices} />
      <div class="actions">
        <ConfirmButton
          action={t.delete}
          confirm={t.deleteConfirm}
          onConfirm={() => onAct({ delete: secrets.value })}
        />
      </div>
    </div>
  );
}
