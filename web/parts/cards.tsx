import { isOffered, type PageInfo } from "../app/paths/pages.ts";
import { hrefTo } from "../app/paths/base.ts";
import { words } from "../app/language/words.ts";
import { Icon } from "./icon.tsx";

/** Pages as a list of links, with a sentence each. */
export function Cards({ pages }: { pages: readonly PageInfo[] }) {
  return (
    <ul class="cards">
      {pages
        .filter(({ name }) => isOffered(name))
        .map(({ path, name, icon }) => (
          <li key={path}>
            <a href={hrefTo(path)}>
              <Icon name={icon} size={22} />
              <span>
                <strong>{words().pages[name].title}</strong>
                <span class="hint">{words().pages[name].summary}</span>
              </span>
            </a>
          </li>
        ))}
    </ul>
  );
}
