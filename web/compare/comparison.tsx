import { useSignal, type Signal } from "@preact/signals";
import { makePatch, type ComparisonResult } from "./compare.ts";
import { openWithFiles } from "../files/pending-files.ts";
import { Choices } from "../parts/field.tsx";
import { DiffRows, DiffSpans } from "./diff.tsx";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";
import { formatCount } from "../app/format.ts";
import { words } from "../app/words.ts";
import { saveFile } from "../files/save.ts";

export type View = "side" | "unified";

interface ComparisonProps {
  readonly compared: ComparisonResult;
  /** Whether a text or an option has changed since. */
  readonly isOld: boolean;
  readonly view: Signal<View>;
}

/** The differences, in colour. */
export function Comparison({ compared, isOld, view }: ComparisonProps) {
  return (
    <section class={isOld ? "stack old" : "stack"} aria-label="Result">
      {isOld && <Note kind="warn">{words().results.old}</Note>}
      {compared.comparison.identical ? (
        <Same compared={compared} />
      ) : (
        <Differences compared={compared} view={view} />
      )}
    </section>
  );
}

function Differences({ compared, view }: Omit<ComparisonProps, "isOld">) {
  const { comparison } = compared;
  const isLines = "rows" in comparison;
  return (
    <>
      <div class="status">
        <Counts compared={compared} />
        {isLines && (
          <Choices
            label="View"
            isLabelUnseen
            value={view}
            choices={{ side: "Side by side", unified: "Unified" }}
          />
        )}
      </div>
      {!comparison.minimal && (
        <Note>The texts differ so much that this is not the shortest way from one to the other.</Note>
      )}
      {"rows" in comparison && <DiffRows rows={comparison.rows} view={view.value} />}
      {"spans" in comparison && <DiffSpans spans={comparison.spans} />}
      {isLines && <PatchActions compared={compared} />}
    </>
  );
}

function Same({ compared: { input } }: { compared: ComparisonResult }) {
  const isExact = input.a === input.b;
  return (
    <Note
      kind="good"
      title={isExact ? "The texts are the same" : "The texts are the same but for what you ignore"}
    >
      <p role="status">
        {isExact ? "Every character is equal." : "They differ only in case or white space."}
      </p>
    </Note>
  );
}

function Counts({ compared: { comparison, input } }: { compared: ComparisonResult }) {
  // The tool counts runs of blanks as words too, which a person would not.
  const unit = input.granularity === "word" ? "piece" : input.granularity;
  const { deleted, inserted } = comparison.stats;
  return (
    <p role="status" class="counts">
      <span class="tag bad">− {formatCount(deleted, unit)} removed</span>{" "}
      <span class="tag good">+ {formatCount(inserted, unit)} added</span>
    </p>
  );
}

function PatchActions({ compared: { input } }: { compared: ComparisonResult }) {
  const isFailed = useSignal(false);
  const withPatch = async (use: (patch: File) => void) => {
    try {
      use(new File([await makePatch(input)], "changes.patch", { type: "text/x-patch" }));
    } catch {
      isFailed.value = true;
    }
  };
  return (
    <div class="actions">
      <button type="button" onClick={() => void withPatch(saveFile)}>
        <Icon name="download" />
        Save as a patch
      </button>
      <button type="button" onClick={() => void withPatch((file) => openWithFiles("file-encrypt", [file]))}>
        <Icon name="lock" />
        Lock the patch
      </button>
      {isFailed.value && <Note kind="bad">The patch could not be made.</Note>}
    </div>
  );
}
