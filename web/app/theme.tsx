import { signal } from "@preact/signals";
import { fill, linkWords } from "./language/words.ts";
import { Icon } from "../parts/icon.tsx";

type Theme = "auto" | "light" | "dark";

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const satisfies Record<Theme, Theme>;
const ICONS = { auto: "auto", light: "sun", dark: "moon" } as const;

const theme = signal<Theme>(chosenTheme());

function chosenTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "auto";
}

/** Switches from system to light to dark and back to system. */
export function ThemeButton() {
  const now = theme.value;
  const names = linkWords().app.theme;
  return (
    <button
      type="button"
      class="quiet small"
      aria-label={fill(names.change, { theme: names[now], next: names[NEXT[now]] })}
      onClick={() => choose(NEXT[now])}
    >
      <Icon name={ICONS[now]} />
      {fill(names.label, { theme: names[now] })}
    </button>
  );
}

function choose(next: Theme): void {
  theme.value = next;
  const { dataset } = document.documentElement;
  if (next === "auto") delete dataset.theme;
  else dataset.theme = next;
  remember(next);
}

function remember(next: Theme): void {
  try {
    if (next === "auto") localStorage.removeItem("theme");
    else localStorage.setItem("theme", next);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
