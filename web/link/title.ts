import { effect } from "@preact/signals";
import { instance } from "../app/instance.ts";
import { linkWords } from "../app/language/words.ts";

/** Names the browser's tab, in each language that is chosen. */
export function startLinkTitle(): void {
  effect(() => {
    document.title = `${linkWords().reveal.title} · ${instance.value.name}`;
  });
}
