import { server } from "../api/server.ts";
import { formatRelativeTime, formatTime } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { STATUS_KINDS } from "../secrets/secret-status.tsx";
import { openOwnLabels } from "./labels.ts";
import { OwnList } from "./own-list.tsx";

type Secret = Awaited<ReturnType<typeof server.secrets.list.query>>["secrets"][number];

/** A member's secrets, without links or contents, which the server does not have. */
export function OwnSecrets() {
  const t = words().account.secrets;
  return (
    <OwnList<Secret, Secret["status"]>
      id="own-secrets"
      title={t.title}
      empty={t.empty}
      told={["revealed", "locked", "expired"]}
      load={async (page) => {
        const { secrets, next } = await server.secrets.list.query(page);
        return { entries: await openOwnLabels(secrets), next };
      }}
      show={(secret, { isNew, onChange }) => (
        <SecretRow
          key={secret.id}
          secret={secret}
          isNew={isNew}
          onRevoke={() => onChange(() => server.secrets.revokeOwn.mutate({ id: secret.id }))}
        />
      )}
    />
  );
}

function SecretRow({ secret, isNew, onRevoke }: { secret: Secret; isNew: boolean; onRevoke: () => void }) {
  const { id, kind, label, status, created, closed, expiry, hasPassphrase } = secret;
  const t = words().account.secrets;
  const facts = [
    t.kinds[kind],
    fill(t.shared, { time: formatTime(created) }),
    closed ? formatTime(closed) : fill(t.expires, { time: formatRelativeTime(expiry) }),
    ...(hasPassphrase ? [t.withPassphrase] : []),
  ];
  return (
    <li>
      <div>
        <p>
          <span class={`tag ${STATUS_KINDS[status]}`}>{words().status[status]}</span>{" "}
          {isNew && <span class="tag good">{t.unread}</span>} {label && <strong>{label}</strong>}{" "}
          <code>{id}</code>
        </p>
        <p class="hint">{facts.join(" · ")}</p>
      </div>
      {status === "active" && (
        <ConfirmButton
          action={t.delete}
          confirm={t.deleteConfirm}
          label={fill(t.deleteLabel, { id: label ?? id })}
          onConfirm={onRevoke}
        />
      )}
    </li>
  );
}
