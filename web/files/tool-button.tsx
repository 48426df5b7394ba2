import type { PageInfo } from "../app/paths/pages.ts";
import { words } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { openWithFiles } from "./pending-files.ts";

/** Opens another tool with files. */
export function ToolButton({
  page: { name, icon },
  files,
  kind,
}: {
  page: PageInfo;
  files: readonly File[];
  kind?: string;
}) {
  return (
    <button type="button" class={kind} onClick={() => openWithFiles(name, files)}>
      <Icon name={icon} size={18} />
      {name === "share" ? words().files.sendOnce : words().pages[name].label}
    </button>
  );
}
