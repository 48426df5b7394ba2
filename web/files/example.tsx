import { formatBytes } from "../app/language/format.ts";
import { Icon, type IconName } from "../parts/icon.tsx";

/** A sheet of an example: a page of text unless `kind` says otherwise. */
interface SheetProps {
  readonly kind?: "picture" | "noise" | "checksum";
  /** The first of several pages, one behind the other. */
  readonly isPile?: boolean;
  readonly isTurned?: boolean;
  readonly badge?: IconName;
  readonly bytes?: number;
}

/** What goes in and what comes out, by the name of the page. */
const EXAMPLES = {
  "pdf-merge": [[{}, {}], [{ isPile: true }]],
  "pdf-split": [[{ isPile: true }], [{}, {}]],
  "pdf-rotate": [[{ isTurned: true }], [{}]],
  "pdf-clean": [[{ badge: "person" }], [{ badge: "check" }]],
  "pdf-compress": [[{ bytes: 4_200_000 }], [{ bytes: 900_000 }]],
  "pdf-lock": [[{}], [{ badge: "lock" }]],
  "pdf-unlock": [[{ badge: "lock" }], [{}]],
  "image-convert": [[{ kind: "picture", bytes: 3_400_000 }], [{ kind: "picture", bytes: 420_000 }]],
  "file-encrypt": [[{}], [{ kind: "noise", badge: "lock" }]],
  "file-hash": [[{}], [{ kind: "checksum", badge: "check" }]],
} as const satisfies Record<string, readonly [readonly SheetProps[], readonly SheetProps[]]>;

export type ExampleName = keyof typeof EXAMPLES;

/** Shows what a tool does, before there is a file; the words beside it say the same. */
export function Example({ of }: { of: ExampleName }) {
  const [before, after]: readonly [readonly SheetProps[], readonly SheetProps[]] = EXAMPLES[of];
  return (
    <div class="example" aria-hidden="true">
      {before.map((thing, i) => (
        <Sheet key={i} {...thing} />
      ))}
      <Icon name="arrow" size={24} />
      {after.map((thing, i) => (
        <Sheet key={i} {...thing} />
      ))}
    </div>
  );
}

const CHECKSUM = "9f86d081884c7d659a2feaa0";

function Sheet({ kind, isPile, isTurned, badge, bytes }: SheetProps) {
  const classes = ["thing", kind, isPile && "pile", isTurned && "turned"].filter(Boolean);
  return (
    <div>
      <div class={classes.join(" ")}>
        {kind === "checksum" && CHECKSUM}
        {badge && (
          <span class="badge">
            <Icon name={badge} size={18} />
          </span>
        )}
      </div>
      {bytes && <small>{formatBytes(bytes)}</small>}
    </div>
  );
}
