import "../style/account.css";
import { useSignal, type Signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { LineComparison } from "../../tools/text-compare.ts";
import { patchHere, type ComparisonResult } from "./compare.ts";
import { guessLook, type Look } from "./diff-lines.ts";
import { formatWarning } from "../api/format-warning.ts";
import { useDraft } from "../app/paths/history.ts";
import { openWithFiles } from "../files/incoming.ts";
import { Check, Choices } from "../parts/field.tsx";
import { DiffRows, DiffSpans } from "./diff.tsx";
import { Icon } from "../parts/icon.tsx";
import { Note, Status } from "../parts/note.tsx";
import { formatCount, words } from "../app/language/words.ts";
import { saveFile } from "../files/object-url.ts";

export type View = "side" | "unified";

interface ComparisonProps {
  readonly compared: ComparisonResult;
  /** Whether a text or an option has changed since. */
  readonly isOld: boolean;
  readonly view: Signal<View>;
  /** Whether the person asked for it just now, instead of only changing an option. */
  readonly takesFocus: boolean;
}

/** The differences, in color. */
export function Comparison({ compared, isOld, view, takesFocus }: ComparisonProps) {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!takesFocus) return;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView({ block: "nearest" });
  }, [compared]);
  return (
    <section
      ref={section}
      tabIndex={-1}
      class={isOld ? "stack old" : "stack"}
      aria-label={words().common.result}
    >
      {isOld && <Note kind="warn">{words().files.old}</Note>}
      {compared.comparison.identical ? (
        <Same compared={compared} />
      ) : (
        <Differences compared={compared} view={view} />
      )}
    </section>
  );
}

function Differences({ compared, view }: Pick<ComparisonProps, "compared" | "view">) {
  const { comparison } = compared;
  const t = words().compare;
  const isLines = "rows" in comparison;
  const wrap = useDraft("wrap", true);
  const guessed = useMemo(() => guessLook(compared.input.a), []);
  const look = useDraft<Look>("look", guessed);
  const codeShape = wrap.value ? "wrapped" : "unwrapped";
  const shape = look.value === "prose" ? "prose" : codeShape;
  return (
    <>
      <div class="status">
        <Counts compared={compared} />
        <Choices label={t.look} isLabelUnseen value={look} choices={t.looks} />
        {look.value === "code" && <Check label={t.wrap} value={wrap} />}
        {isLines && <Choices label={t.view} isLabelUnseen value={view} choices={t.views} />}
      </div>
      {!comparison.minimal && <Note>{t.notMinimal}</Note>}
      {comparison.warnings?.map((warning) => (
        <Note key={warning.code}>{formatWarning(warning)}</Note>
      ))}
      {"rows" in comparison && (
        <>
          <LastNewline endsWithNewline={comparison.endsWithNewline} />
          <DiffRows rows={comparison.rows} view={view.value} context={compared.input.context} shape={shape} />
        </>
      )}
      {"spans" in comparison && <DiffSpans spans={comparison.spans} shape={shape} />}
      {isLines && <PatchActions compared={compared} />}
    </>
  );
}

// Otherwise two lines that look the same would be shown as different.
function LastNewline({ endsWithNewline: { a, b } }: Pick<LineComparison, "endsWithNewline">) {
  const t = words().compare;
  if (a === b) return null;
  return <Note>{a ? t.secondLacksNewline : t.firstLacksNewline}</Note>;
}

function Same({ compared: { input } }: { compared: ComparisonResult }) {
  const t = words().compare;
  const isExact = input.a === input.b;
  return (
    <Note kind="good" title={isExact ? t.same : t.sameLoosely}>
      <Status>{isExact ? t.sameExactly : t.sameLooselyHint}</Status>
    </Note>
  );
}

function Counts({ compared: { comparison, input } }: { compared: ComparisonResult }) {
  const { removed, added } = words().compare;
  const { deleted, inserted } = comparison.stats;
  return (
    <Status kind="counts">
      <span class="tag bad">− {formatCount(deleted, removed[input.granularity])}</span>{" "}
      <span class="tag good">+ {formatCount(inserted, added[input.granularity])}</span>
    </Status>
  );
}

function PatchActions({ compared: { input } }: { compared: ComparisonResult }) {
  const t = words().compare;
  const isFailed = useSignal(false);
  const withPatch = async (use: (patch: File) => void) => {
    try {
      use(new File([await patchHere(input)], "changes.patch", { type: "text/x-patch" }));
    } catch {
      isFailed.value = true;
    }
  };
  return (
    <div class="actions">
      <button type="button" onClick={() => void withPatch(saveFile)}>
        <Icon name="download" />
        {t.savePatch}
      </button>
      <button type="button" onClick={() => void withPatch((file) => openWithFiles("file-encrypt", [file]))}>
        <Icon name="lock" />
        {t.lockPatch}
      </button>
      {isFailed.value && <Note kind="bad">{t.patchFailed}</Note>}
    </div>
  );
}
