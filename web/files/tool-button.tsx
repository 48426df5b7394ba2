import type { PageInfo } from "../app/paths/pages.ts";
import { words } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { openWithFiles } from "./pending-files.ts";

/** Opens another tool with files. */
export function ToolButton({
  page: { name, icon },
  files,
  kind,
  label = name === "share" ? words().files.sendOnce : words().pages[name].label,
  onOpen = () => openWithFiles(name, files),
}: {
  page: PageInfo;
  files: readonly File[];
  kind?: string;
  label?: string;
  /** What else is to happen. */
  onOpen?: () => void;
}) {
  return (
    <button type="button" class={kind} onClick={onOpen}>
      <Icon name={icon} size={18} />
      {label}
    </button>
  );
}
