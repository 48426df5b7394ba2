import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MAX_BUNDLE_FILES } from "../../../tools/bundle/bundle-format.ts";
import { loadMemberFileBytes, secretLimits } from "../../api/limits.ts";
import { formatBytes } from "../../app/language/format.ts";
import { fill, formatCount, words } from "../../app/language/words.ts";
import { useRows } from "../../files/rows.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useLatest } from "../../parts/job.tsx";
import { Note } from "../../parts/note.tsx";
import { PartButton, StepButtons } from "../../parts/buttons.tsx";
import { useSorting, type SortedItem } from "../../parts/sorting.ts";
import { findProblem, totalSize, type Content } from "./content.ts";

/** The chosen files in the order in which their reader will see them. */
export function ContentFiles({
  files,
  text,
  isBusy,
}: {
  files: Signal<readonly File[]>;
  /** The message with the files. */
  text: string;
  /** Whether they are being sent: one that is removed now would still be sent. */
  isBusy: boolean;
}) {
  const list = useRef<HTMLOListElement>(null);
  const chosen = files.value;
  const { rows, more, showUpTo } = useRows(chosen);
  const { announcement, itemAt } = useSorting({
    items: chosen,
    nameOf: ({ name }) => name,
    keys: ["ArrowUp", "ArrowDown"],
    onSort: (sorted, to) => {
      files.value = sorted;
      showUpTo(to);
    },
  });
  const remove = (place: number) => {
    files.value = chosen.toSpliced(place, 1);
    // The button that had the focus goes with its row.
    const next = list.current?.children[place === rows.length - 1 ? place - 1 : place + 1];
    (lastButton(next) ?? document.getElementById("secret"))?.focus();
  };
  const content = { text, files: chosen };
  const problem = findProblem(content);
  const keepFirst = () => {
    files.value = chosen.slice(0, MAX_BUNDLE_FILES);
    document.getElementById("secret")?.focus();
  };
  return (
    <div class="stack tight">
      {/* Above them: below many it would not be seen. */}
      {problem && <TooMuch problem={problem} content={content} isBusy={isBusy} onKeepFirst={keepFirst} />}
      <ol ref={list} class="list" aria-label={words().fields.files}>
        {rows.map((file, place) => (
          <ContentFile
            key={file}
            file={file}
            item={itemAt(place)}
            isBusy={isBusy}
            onRemove={() => remove(place)}
          />
        ))}
        {more && <li>{more}</li>}
      </ol>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
      <p class="hint" role="status">
        {`${formatCount(chosen.length, words().common.files)} · ${formatBytes(totalSize(content))}`}
      </p>
    </div>
  );
}

function ContentFile({
  file,
  item,
  isBusy,
  onRemove,
}: {
  file: File;
  item: SortedItem;
  isBusy: boolean;
  onRemove: () => void;
}) {
  const { name, size } = file;
  return (
    <li {...item.handlers} class={item.isTarget ? "chosen target" : "chosen"}>
      <Icon name="file" />
      <span class="name">{name}</span>
      <span class="hint">{formatBytes(size)}</span>
      <span class="part-keys">
        {item.count > 1 && <StepButtons item={item} name={name} />}
        <PartButton
          icon="close"
          label={fill(words().order.remove, { name })}
          isOff={isBusy}
          onClick={onRemove}
        />
      </span>
    </li>
  );
}

function lastButton(row: Element | undefined): HTMLButtonElement | undefined {
  return [...(row?.querySelectorAll("button") ?? [])].at(-1);
}

/** Why these cannot be sent; tells people without an account what members may send. */
function TooMuch({
  problem,
  content,
  isBusy,
  onKeepFirst,
}: {
  problem: string;
  content: Content;
  isBusy: boolean;
  onKeepFirst: () => void;
}) {
  const { fileBytes, isMember } = secretLimits.value;
  const isTooLarge = totalSize(content) > fileBytes;
  const isAsked = isTooLarge && !isMember;
  const memberBytes = useLatest(async () => (isAsked ? loadMemberFileBytes() : undefined), [isAsked]) ?? 0;
  const isMore = isAsked && memberBytes > fileBytes;
  return (
    <Note kind="bad">
      <p>{problem}</p>
      {content.files.length > MAX_BUNDLE_FILES && (
        <button type="button" class="small" disabled={isBusy} onClick={onKeepFirst}>
          {fill(words().share.keepFirst, { count: MAX_BUNDLE_FILES })}
        </button>
      )}
      {isMore && <p>{fill(words().share.memberSize, { size: formatBytes(memberBytes) })}</p>}
    </Note>
  );
}
