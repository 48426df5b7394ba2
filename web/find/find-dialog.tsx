import "../style/dialogs.css";
import { useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PageName } from "../../wire/pages.ts";
import { formatCount, words, currentLanguage, type WordFile } from "../app/language/words.ts";
import { isOffered, PAGES } from "../app/paths/pages.ts";
import { currentPath, navigate } from "../app/paths/route.ts";
import { Icon } from "../parts/icon.tsx";
import { findPages } from "./find-pages.ts";
import type { AllWords } from "../words/words.ts";

/** All pages but those that need a link that somebody was sent. */
const SEARCHED_PAGES = PAGES.filter(({ group, name }) => group !== undefined || name === "tools");

/** Finds a page by its title or other terms: a combobox with a list of options, as in WAI-ARIA. */
function FindDialog({
  terms,
  onClose,
}: {
  terms: Readonly<Partial<Record<PageName, string>>>;
  onClose: () => void;
}) {
  const t = words().find;
  const dialog = useRef<HTMLDialogElement>(null);
  const query = useSignal("");
  const active = useSignal(0);
  useEffect(() => dialog.current?.showModal(), []);
  const found = findPages(
    SEARCHED_PAGES.filter(({ name }) => isOffered(name)).map((page) => {
      const { title, label, summary } = words().pages[page.name];
      return { ...page, title, terms: `${label} ${page.name} ${terms[page.name] ?? ""} ${summary}`, summary };
    }),
    query.value,
  );
  const open = (path: string | undefined) => {
    if (path === undefined) return;
    dialog.current?.close();
    if (path !== currentPath.peek()) void navigate(path);
  };
  const move = (to: number) => {
    active.value = (to + found.length) % Math.max(1, found.length);
  };
  const close = () => {
    // A person who had nothing in focus before continues with the page.
    if (document.activeElement === document.body)
      document.getElementById("content")?.focus({ preventScroll: true });
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      class="finder"
      aria-label={t.open}
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <input
        role="combobox"
        aria-label={t.field}
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `found-${active.value}` : undefined}
        placeholder={t.field}
        autocomplete="off"
        spellcheck={false}
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (event.isComposing || (!step && event.key !== "Enter")) return;
          event.preventDefault();
          if (step) move(active.value + step);
          else open(found[active.value]?.path);
        }}
      />
      <ul id="found" role="listbox" aria-label={t.list} hidden={found.length === 0}>
        {found.map(({ path, title, summary, icon }, i) => (
          <Option
            key={path}
            id={`found-${i}`}
            isActive={i === active.value}
            onPoint={() => (active.value = i)}
            onChoose={() => open(path)}
          >
            <Icon name={icon} size={22} />
            <span>
              <strong>{title}</strong>
              <span class="hint">{summary}</span>
            </span>
          </Option>
        ))}
      </ul>
      <p class={found.length === 0 ? "hint" : "unseen"} role="status">
        {found.length === 0 ? t.none : query.value !== "" && formatCount(found.length, t.count)}
      </p>
    </dialog>
  );
}

function Option({
  id,
  isActive,
  onPoint,
  onChoose,
  children,
}: {
  id: string;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
  children: ComponentChildren;
}) {
  const option = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    // The focus stays in the field; its arrow keys and Enter choose an option.
    <li
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      {children}
    </li>
  );
}

/** Other terms for the pages besides their titles. */
const LOADERS = import.meta.glob<WordFile<Pick<AllWords, "terms">>>("./*.json", {
  base: "../words",
  query: { part: "find" },
});

/** The dialog with the terms of the chosen language. */
export async function loadFinder(): Promise<ComponentType<{ onClose: () => void }>> {
  const file = await LOADERS[`./${currentLanguage()}.json`]?.();
  return ({ onClose }) => <FindDialog terms={file?.default.terms ?? {}} onClose={onClose} />;
}
