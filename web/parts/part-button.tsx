import { Icon } from "./icon.tsx";

/** A small button of an item in a list. */
export function PartButton({
  icon,
  label,
  isOff,
  onClick,
}: {
  icon: "up" | "down" | "close";
  label: string;
  isOff?: boolean;
  onClick: () => void;
}) {
  // Not disabled, as a focused button would lose the focus.
  return (
    <button
      type="button"
      class="quiet icon-only small"
      aria-label={label}
      aria-disabled={isOff ? true : undefined}
      onClick={() => !isOff && onClick()}
    >
      <Icon name={icon} size={18} />
    </button>
  );
}
