import { linkWords } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { useObjectUrl } from "./object-url.ts";

/** A link that saves a file. */
export function SaveLink({
  file,
  label = linkWords().common.save,
  name,
  isSmall,
  onSave,
}: {
  file: File;
  label?: string;
  /** For screen readers, where the label does not say which file. */
  name?: string;
  isSmall?: boolean;
  onSave: () => void;
}) {
  return (
    <a
      class={isSmall ? "button small" : "button"}
      href={useObjectUrl(file)}
      download={file.name}
      aria-label={name}
      onClick={onSave}
    >
      <Icon name="download" size={isSmall ? 18 : 20} />
      {label}
    </a>
  );
}
