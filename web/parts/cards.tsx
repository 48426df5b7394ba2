import type { PageInfo } from "../app/pages.ts";
import { Icon } from "./icon.tsx";

/** Pages as a list of links, with a sentence each. */
export function Cards({ pages }: { pages: readonly PageInfo[] }) {
  return (
    <ul class="cards">
      {pages.map(({ path, title, summary, icon }) => (
        <li key={path}>
          <a href={path}>
            <Icon name={icon} size={22} />
            <span>
              <strong>{title}</strong>
              <span class="hint">{summary}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
