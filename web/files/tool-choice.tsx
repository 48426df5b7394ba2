import { formatBytes, formatNames } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { shownPath } from "../app/paths/base.ts";
import { PAGES, type PageInfo } from "../app/paths/pages.ts";
import { confirmLeave } from "../app/unsaved.tsx";
import { Icon } from "../parts/icon.tsx";
import { useLatest } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import type { FittingTools } from "./fitting-tools.ts";
import { openWithFiles } from "./incoming.ts";
import { ToolButton } from "./tool-button.tsx";

type PageOpener = (page: PageInfo, files: readonly File[]) => void;

/** Opens a page with files, after a question where this one would lose something. */
export async function leaveWithFiles({ name }: PageInfo, files: readonly File[]): Promise<boolean> {
  const mayLeave = await confirmLeave();
  if (mayLeave) openWithFiles(name, files);
  return mayLeave;
}

/** Files with everything that can be done with them. */
export function ToolChoice({ files, onOpen }: { files: readonly File[]; onOpen: PageOpener }) {
  const fitting = useFitting(files);
  const unreadable = fitting?.unreadable ?? [];
  const names = formatNames(unreadable.map(({ name }) => name));
  return (
    <>
      <ul class="list">
        {files.map(({ name, size }, i) => (
          <li key={i} class="chosen">
            <Icon name="file" />
            <span class="name">{name}</span>
            <span class="hint">{formatBytes(size)}</span>
          </li>
        ))}
      </ul>
      {unreadable.length > 0 && <Note kind="bad">{fill(words().files.unreadable, { names })}</Note>}
      {fitting && (
        <Buttons
          {...fitting}
          pages={inOrder([...fitting.own, ...fitting.general]).filter(isElsewhere)}
          files={files.filter((file) => !unreadable.includes(file))}
          onOpen={onOpen}
        />
      )}
    </>
  );
}

/** The tools that take files which this page does not take; where there are none, those for any file. */
export function InsteadButtons({ files }: { files: readonly File[] }) {
  const fitting = useFitting(files);
  if (!fitting) return null;
  const others = fitting.own.filter(isElsewhere);
  return (
    <Buttons
      {...fitting}
      pages={others.length > 0 ? others : fitting.general}
      files={files}
      kind="small"
      onOpen={(page) => void leaveWithFiles(page, files)}
    />
  );
}

/** In the order of the navigation. */
function inOrder(pages: readonly PageInfo[]): readonly PageInfo[] {
  return PAGES.filter((page) => pages.includes(page));
}

function isElsewhere({ path }: PageInfo): boolean {
  return path !== shownPath();
}

function Buttons({
  pages,
  files,
  kinds,
  kind,
  onOpen,
}: Pick<FittingTools, "kinds"> & {
  pages: readonly PageInfo[];
  files: readonly File[];
  kind?: string;
  onOpen: PageOpener;
}) {
  const areLocked = kinds.length === 1 && kinds[0] === "locked";
  if (pages.length === 0) return null;
  return (
    <div class="actions">
      {pages.map((page) => (
        <ToolButton
          key={page.name}
          page={page}
          files={files}
          {...(kind && { kind })}
          {...(areLocked && page.name === "file-encrypt" && { label: words().files.openLocked })}
          onOpen={() => onOpen(page, files)}
        />
      ))}
    </div>
  );
}

function useFitting(files: readonly File[]): FittingTools | undefined {
  return useLatest(async () => (await import("./fitting-tools.ts")).fittingTools(files), [files]);
}
