import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { PAGES, GROUPS, type Group } from "./pages.ts";
import { hrefTo } from "./base.ts";
import { Icon } from "../parts/icon.tsx";
import { isGuest } from "./guest.ts";
import { LanguageChoice } from "./language.tsx";
import { words } from "./words.ts";
import { hasNavigated } from "./route.ts";
import { ThemeButton } from "./theme.tsx";

/** The frame around every page. A person who was sent a link sees no menu. */
export function Shell({ path, children }: { path: string; children: ComponentChildren }) {
  const isForGuest = isGuest(path);
  const isOpen = useSignal(false);
  useEffect(() => {
    isOpen.value = false;
  }, [path]);
  return (
    <div class={isForGuest ? "shell guest" : "shell"}>
      <a class="skip" href="#content">
        {words().app.skip}
      </a>
      <header class="top">
        <a class="brand" href={hrefTo("/")}>
          <Mark />
          Hushkit
        </a>
        <ThemeButton />
        {!isForGuest && <MenuButton isOpen={isOpen.value} onToggle={() => (isOpen.value = !isOpen.value)} />}
      </header>
      {!isForGuest && <Navigation path={path} isOpen={isOpen.value} />}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer isForGuest={isForGuest} />
    </div>
  );
}

function Mark() {
  return (
    <svg class="mark" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 8v16M23 8v16M9 16h6.2M16.8 16H23" />
    </svg>
  );
}

function MenuButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      class="menu quiet"
      aria-expanded={isOpen}
      aria-controls="navigation"
      onClick={onToggle}
    >
      <Icon name={isOpen ? "close" : "menu"} />
      {words().app.menu}
    </button>
  );
}

function Navigation({ path, isOpen }: { path: string; isOpen: boolean }) {
  return (
    <nav id="navigation" class={isOpen ? "open" : ""} aria-label={words().app.navigation}>
      {GROUPS.map((group) => (
        <NavigationGroup key={group} group={group} path={path} />
      ))}
    </nav>
  );
}

function NavigationGroup({ group, path }: { group: Group; path: string }) {
  const title = `nav-${group.toLowerCase()}`;
  return (
    <div>
      <h2 id={title}>{words().app.groups[group]}</h2>
      <ul aria-labelledby={title}>
        {PAGES.filter((page) => page.group === group).map(({ path: to, name, icon }) => (
          <li key={to}>
            <a href={hrefTo(to)} aria-current={to === path ? "page" : undefined}>
              <Icon name={icon} />
              {words().pages[name].label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Footer({ isForGuest }: { isForGuest: boolean }) {
  return (
    <footer>
      {isForGuest ? (
        <p>
          {words().app.guestFooter} <a href={hrefTo("/")}>{words().app.guestLink}</a>
        </p>
      ) : (
        <p>{words().app.footer}</p>
      )}
      <Release />
      <LanguageChoice />
    </footer>
  );
}

const SHOWN_DIGITS = 16;

/** Which pages these are; `hushkit verify` compares them with those of the release. */
function Release() {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="release"]');
  const [version = "", digest = ""] = meta?.content.split(" ") ?? [];
  return (
    <p title={digest} translate={false}>
      Hushkit {version} <code>{digest.slice(0, SHOWN_DIGITS)}</code>
    </p>
  );
}

/** The head of a page. It takes the focus after a navigation inside the document. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasNavigated.value) heading.current?.focus({ preventScroll: true });
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
