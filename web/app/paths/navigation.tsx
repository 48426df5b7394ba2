import { Icon } from "../../parts/icon.tsx";
import { isOffered } from "../offered.ts";
import { hrefTo } from "./base.ts";
import { GROUPS, PAGES, type Group } from "./pages.ts";
import { words } from "../language/words.ts";

/** Shows the navigation where it has no room beside the page. */
export function MenuButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      class="menu quiet"
      aria-expanded={isOpen}
      aria-controls="navigation"
      aria-label={words().frame.menu}
      onClick={onToggle}
    >
      <Icon name={isOpen ? "close" : "menu"} />
      <span class="word" aria-hidden="true">
        {words().frame.menu}
      </span>
    </button>
  );
}

/** The links to all pages. */
export function Navigation({ path, isOpen }: { path: string; isOpen: boolean }) {
  return (
    <nav id="navigation" class={isOpen ? "open" : ""} aria-label={words().frame.navigation}>
      <div class="groups">
        {GROUPS.map((group) => (
          <NavigationGroup key={group} group={group} path={path} />
        ))}
      </div>
    </nav>
  );
}

function NavigationGroup({ group, path }: { group: Group; path: string }) {
  const title = `nav-${group.toLowerCase()}`;
  const pages = PAGES.filter((page) => page.group === group && isOffered(page.name));
  if (pages.length === 0) return null;
  return (
    <div>
      <h2 id={title}>{words().frame.groups[group]}</h2>
      <ul aria-labelledby={title}>
        {pages.map(({ path: to, name, icon }) => (
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
