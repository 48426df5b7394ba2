import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useLoader, useSender } from "../api/loader.ts";
import { words } from "../app/language/words.ts";
import { keep, readKept } from "../app/paths/tab.ts";
import { MemberFailure } from "./member-failure.tsx";

const KEY = "seen";

interface OwnEntry {
  readonly id: string;
  /** When its state changed; null where nothing has happened. */
  readonly closed: string | null;
}

interface OwnListProps<Entry, Status> {
  readonly id: string;
  readonly title: string;
  /** Shown for an empty list. */
  readonly empty: string;
  /** Changes that others cause, about which the member is told. */
  readonly told: readonly Status[];
  readonly load: (page: {
    limit: number;
    cursor?: string;
    status?: Status;
  }) => Promise<{ entries: readonly Entry[]; next: string | null }>;
  /** Shows an entry; `onChange` changes it, and then all entries are loaded again. */
  readonly show: (
    entry: Entry,
    more: { isNew: boolean; onChange: (work: () => Promise<unknown>) => void },
  ) => ComponentChildren;
}

const PAGE = { limit: 20 };
/** The largest page. */
const TOLD = { limit: 100 };

/** First what has happened since the list was last seen, the latest first; then the member's entries, newest first. */
export function OwnList<Entry extends OwnEntry, Status>(props: OwnListProps<Entry, Status>) {
  const { id, title, empty, told, load, show } = props;
  // Entries stay marked while this list is shown.
  const [lastSeen] = useState(() => readLastSeen(id));
  const [shown, news] = [useSignal<readonly Entry[]>([]), useSignal<readonly Entry[]>([])];
  const next = useSignal<string | null>(null);
  const { state, reload } = useLoader(async () => {
    const [page, ...pages] = await Promise.all([
      load(PAGE),
      ...told.map((status) => load({ ...TOLD, status })),
    ]);
    const ended = pages.flatMap(({ entries }) => entries).toSorted((a, b) => endOf(b) - endOf(a));
    news.value = ended.filter((entry) => endOf(entry) > (lastSeen ?? Infinity));
    keepLastSeen(id, ended[0] ? endOf(ended[0]) : 0);
    [shown.value, next.value] = [page.entries, page.next];
  });
  const { isBusy, failure, send } = useSender();
  const loadMore = (cursor: string) =>
    send(async () => {
      const page = await load({ ...PAGE, cursor });
      [shown.value, next.value] = [[...shown.value, ...page.entries], page.next];
    });
  const change = async (work: () => Promise<unknown>) => {
    if (await send(work)) await reload();
  };
  const onChange = (work: () => Promise<unknown>) => void change(work);
  const loaded = state.value;
  const cursor = next.value;
  const isNew = new Set(news.value.map((entry) => entry.id));
  const others = shown.value.filter((entry) => !isNew.has(entry.id));
  return (
    <section class="panel" aria-labelledby={id} aria-busy={loaded.is === "loading"}>
      <h2 id={id}>{title}</h2>
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
      {loaded.is === "loaded" && shown.value.length === 0 && <p class="hint">{empty}</p>}
      {shown.value.length > 0 && (
        <ul class="rows">
          {news.value.map((entry) => show(entry, { isNew: true, onChange }))}
          {others.map((entry) => show(entry, { isNew: false, onChange }))}
        </ul>
      )}
      {cursor && (
        <div class="actions">
          <button type="button" class="small" aria-busy={isBusy.value} onClick={() => void loadMore(cursor)}>
            {words().account.secrets.older}
          </button>
        </div>
      )}
      {failure.value && <MemberFailure failure={failure.value} />}
    </section>
  );
}

function endOf({ closed }: OwnEntry): number {
  return closed === null ? 0 : Date.parse(closed);
}

/**
 * The time of the latest change in a list that this browser has shown, in milliseconds; undefined for a list never
 * shown.
 */
function readLastSeen(list: string): number | undefined {
  const kept = readKept(`${KEY} ${list}`);
  return kept === undefined ? undefined : Number(kept);
}

/** Stores that time, which is the server's, whatever this browser's clock says. */
function keepLastSeen(list: string, time: number): void {
  keep(`${KEY} ${list}`, String(Math.max(time, readLastSeen(list) ?? 0)));
}
