import { server } from "../api/server.ts";
import { formatRelativeTime, formatTime } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { formatCounts, isForSeveral, REQUEST_KINDS, statusOf } from "../requests/request-state.tsx";
import { openOwnLabels } from "./labels.ts";
import { OwnList } from "./own-list.tsx";

type Request = Awaited<ReturnType<typeof server.requests.list.query>>["requests"][number];

/** A member's requests, without links or answers, which the server does not have. */
export function OwnRequests() {
  const t = words().account.requests;
  return (
    <OwnList<Request, Request["status"]>
      id="own-requests"
      title={t.title}
      empty={t.empty}
      told={["answered", "expired"]}
      load={async (page) => {
        const { requests, next } = await server.requests.list.query(page);
        return { entries: await openOwnLabels(requests), next };
      }}
      show={(request, { isNew, onChange }) => (
        <RequestRow
          key={request.id}
          request={request}
          isNew={isNew}
          onEnd={(answers) => onChange(() => server.requests.cancelOwn.mutate({ id: request.id, answers }))}
        />
      )}
    />
  );
}

function RequestRow({
  request,
  isNew,
  onEnd,
}: {
  request: Request;
  isNew: boolean;
  onEnd: (answers: "keep" | "delete") => void;
}) {
  const { id, label, status, created, closed, expiry, answered } = request;
  const { account, asking, common } = words();
  const t = account.requests;
  const facts = [
    fill(t.asked, { time: formatTime(created) }),
    ...(isForSeveral(request) ? [formatCounts(request)] : []),
    closed ? formatTime(closed) : fill(account.secrets.expires, { time: formatRelativeTime(expiry) }),
  ];
  return (
    <li>
      <div>
        <p>
          <span class={`tag ${REQUEST_KINDS[status]}`}>{statusOf(request)}</span>{" "}
          {isNew && <span class="tag good">{account.secrets.unread}</span>}{" "}
          {label && <strong>{label}</strong>} <code>{id}</code>
        </p>
        <p class="hint">{facts.join(" · ")}</p>
      </div>
      {isForSeveral(request) && status === "open" && answered > 0 && (
        <ConfirmButton
          action={asking.several.close}
          confirm={asking.several.closeConfirm}
          label={fill(words().frame.labeled, { label: asking.several.close, value: label ?? id })}
          onConfirm={() => onEnd("keep")}
        />
      )}
      {(status === "open" || status === "answered") && (
        <ConfirmButton
          action={common.cancel}
          confirm={asking.cancelConfirm}
          label={fill(t.cancelLabel, { id: label ?? id })}
          onConfirm={() => onEnd("delete")}
        />
      )}
    </li>
  );
}
