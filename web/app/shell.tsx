import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { SHOWN_DIGITS } from "../../wire/page-html.ts";
import { Icon, STAMP } from "../parts/icon.tsx";
import { entriesOf } from "./entries.ts";
import { instance } from "./instance.ts";
import { linkWords, chooseLanguage, currentLanguage, LANGUAGES, fill } from "./language/words.ts";
import { hasLostFocus } from "./focus.ts";
import { hrefTo, hasNavigated } from "./paths/base.ts";
import { keep } from "./paths/tab.ts";

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const satisfies Record<Theme, Theme>;
const ICONS = { auto: "auto", light: "sun", dark: "moon" } as const;
const theme = signal<Theme>(chosenTheme());

/** The frame around every page. */
export function Shell({
  head,
  strip,
  foot,
  children,
}: {
  /** The content of the head, below it and in the foot. People who were sent a link get none of it. */
  head?: ComponentChildren;
  strip?: ComponentChildren;
  foot?: string | false;
  children: ComponentChildren;
}) {
  return (
    <div class={head ? "shell" : "shell guest"}>
      <a class="skip" href="#content" onClick={skip}>
        {linkWords().app.skip}
      </a>
      <header class="top">
        <a class="brand" href={hrefTo("/")}>
          <Mark />
          {instance.value.name}
        </a>
        {head}
      </header>
      {instance.value.notice && (
        <p class="notice" dir="auto">
          {instance.value.notice}
        </p>
      )}
      {strip}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer>{foot}</Footer>
    </div>
  );
}

function Mark() {
  const { logo } = instance.value;
  if (logo) return <img class="mark" src={hrefTo(logo)} width="28" height="28" alt="" />;
  return (
    <svg class="mark" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d={STAMP} />
    </svg>
  );
}

function Footer({ children }: { children: string | false | undefined }) {
  return (
    <footer>
      <p>
        {children || (
          <>
            {linkWords().app.guestFooter} <a href={hrefTo("/")}>{linkWords().app.guestLink}</a>
          </>
        )}
      </p>
      <OperatorLinks />
      <div class="looks">
        <LanguageChoice />
        <ThemeButton />
      </div>
      <Release />
    </footer>
  );
}

/** The operator's links about who runs the instance, and how. */
function OperatorLinks() {
  const { app } = linkWords();
  const links = (["imprint", "privacy", "contact"] as const).flatMap((name) => {
    const href = instance.value[name];
    return href === null ? [] : [{ href, label: app[name] }];
  });
  if (links.length === 0) return null;
  return (
    <p class="operator">
      {links.map(({ href, label }) => (
        <a key={label} href={href} rel="noreferrer">
          {label}
        </a>
      ))}
    </p>
  );
}

/** The version of these pages; `hushkit verify` compares them with those of the release. */
export function release(): { version: string; digest: string } {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="release"]');
  const [version = "", digest = ""] = meta?.content.split(" ") ?? [];
  return { version, digest };
}

function Release() {
  const { version, digest } = release();
  return (
    <p title={digest} translate={false}>
      Hushkit {version} <code>{digest.slice(0, SHOWN_DIGITS)}</code>
    </p>
  );
}

/**
 * The heading of a page. After a navigation within the document, and when a result replaces a form, it takes the focus
 * and the page scrolls to its top: otherwise a shorter page would begin somewhere above the window.
 */
export function PageHead({
  title,
  isResult,
  children,
}: {
  title: string;
  /** Whether it belongs to a result. Not every browser focuses a button that was clicked. */
  isResult?: boolean;
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!isResult && !hasNavigated.value && !hasLostFocus()) return;
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
    heading.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <header class="head">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children && <p class="lead">{children}</p>}
    </header>
  );
}

/** The choice of a language, each by its own name. */
function LanguageChoice() {
  const languages = entriesOf(LANGUAGES);
  return (
    <label class="language">
      <span class="unseen">{linkWords().app.language}</span>
      <select
        value={currentLanguage()}
        onChange={({ currentTarget: { selectedIndex } }) => {
          const [language] = languages[selectedIndex] ?? [];
          if (language) void chooseLanguage(language);
        }}
      >
        {languages.map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

type Theme = "auto" | "light" | "dark";

function chosenTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "auto";
}

/** Switches from system to light to dark and back to system. */
function ThemeButton() {
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
  keep("theme", next === "auto" ? undefined : next);
}

/** Moves the focus and nothing else: the fragment is a link's key, and a new entry of the history has no state. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
