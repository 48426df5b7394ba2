import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLoader, useSender } from "../api/loader.ts";
import { words } from "../app/language/words.ts";
import { FailureNote } from "../parts/job.tsx";

interface OwnListProps<Entry> {
  readonly id: string;
  readonly title: string;
  /** Shown where there is none. */
  readonly empty: string;
  readonly load: (page: {
    limit: number;
    cursor?: string;
  }) => Promise<{ entries: readonly Entry[]; next: string | null }>;
  /** Shows one; `onChange` does something to it, and then all are loaded again. */
  readonly show: (entry: Entry, onChange: (work: () => Promise<unknown>) => void) => ComponentChildren;
}

const PAGE = { limit: 20 };

/** What a member has made, newest first, a page at a time. */
export function OwnList<Entry>({ id, title, empty, load, show }: OwnListProps<Entry>) {
  const shown = useSignal<readonly Entry[]>([]);
  const next = useSignal<string | null>(null);
  const { state, reload } = useLoader(async () => {
    const page = await load(PAGE);
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
  const loaded = state.value;
  const cursor = next.value;
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {loaded.is === "failed" && <FailureNote failure={loaded.failure} />}
      {loaded.is === "loaded" && shown.value.length === 0 && <p class="hint">{empty}</p>}
      {shown.value.length > 0 && (
        <ul class="rows">{shown.value.map((entry) => show(entry, (work) => void change(work)))}</ul>
      )}
      {cursor && (
        <div class="actions">
          <button type="button" class="small" disabled={isBusy.value} onClick={() => void loadMore(cursor)}>
            {words().account.secrets.older}
          </button>
        </div>
      )}
      {failure.value && <FailureNote failure={failure.value} />}
    </section>
  );
}
