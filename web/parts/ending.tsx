import type { ComponentChildren } from "preact";
import { formatTime } from "../app/language/format.ts";
import { PageHead } from "../app/shell.tsx";
import { Icon, type IconName, Seal } from "./icon.tsx";
import { Status } from "./note.tsx";

/** How a secret or a request ended. "done" means opened: its seal is broken. */
type EndKind = "done" | "gone" | "late" | "locked";

const ICONS = { gone: "close", late: "clock", locked: "lock" } as const satisfies Record<
  Exclude<EndKind, "done">,
  IconName
>;

/** How each state of a secret shows as its end. */
export const SECRET_ENDS = {
  revealed: "done",
  revoked: "gone",
  expired: "late",
  locked: "locked",
} as const satisfies Record<string, EndKind>;

/** A page that has come to its end: a picture, what happened and when, and the next step. */
export function Ending({
  kind,
  title,
  closed,
  advice,
  children,
}: {
  kind: EndKind;
  title: string;
  closed: string | null | undefined;
  advice: string;
  /** The next step. */
  children?: ComponentChildren;
}) {
  return (
    <div class="ending">
      {kind === "done" ? (
        <Seal isBroken />
      ) : (
        <span class={`end-mark ${kind}`}>
          <Icon name={ICONS[kind]} size={40} />
        </span>
      )}
      <PageHead title={title}>{closed ? formatTime(closed) : undefined}</PageHead>
      <Status>{advice}</Status>
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
