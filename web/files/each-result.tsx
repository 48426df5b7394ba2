import { useSignal } from "@preact/signals";
import { formatBytes } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { FirstPage, isImageByType } from "../pdf/first-page.tsx";
import { SaveLink } from "./save-link.tsx";

/** Several results, each with its own link to save it. */
export function EachResult({
  each,
  onAllSaved,
}: {
  each: readonly { readonly file: File; readonly facts: Readonly<Record<string, string>> }[];
  /** Every one of them was saved by itself. */
  onAllSaved: () => void;
}) {
  const saved = useSignal<ReadonlySet<File>>(new Set());
  const save = (file: File) => {
    saved.value = new Set([...saved.value, file]);
    if (saved.value.size === each.length) onAllSaved();
  };
  return (
    <ul class="list">
      {each.map(({ file, facts }, i) => (
        <li key={i} class="chosen">
          {isImageByType(file) && <FirstPage file={file} password="" isOff={false} />}
          <p class="part-name">
            <span class="name">{file.name}</span>
            <span class="hint">{describe(file, facts)}</span>
          </p>
          <SaveLink
            file={file}
            name={fill(words().files.saveOne, { name: file.name })}
            isSmall
            onSave={() => save(file)}
          />
        </li>
      ))}
    </ul>
  );
}

/** The first fact of a result with its size, unless that is in it. */
function describe({ size }: File, facts: Readonly<Record<string, string>>): string {
  const [fact] = Object.values(facts);
  const bytes = formatBytes(size);
  if (fact === undefined) return bytes;
  return fact.includes(bytes) ? fact : `${fact} · ${bytes}`;
}
