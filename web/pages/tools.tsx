import { ENTRIES, TOOLS } from "../app/directory.ts";
import { Icon } from "../parts/icon.tsx";
import { PageHead } from "../app/shell.tsx";

/** Everything there is, at a glance. */
export function ToolsPage() {
  return (
    <section class="page">
      <PageHead title="All tools">
        They work in your browser; what you give them stays on your machine.
      </PageHead>
      <Cards entries={TOOLS} />
    </section>
  );
}

/** For a path that leads nowhere. */
export function NotFoundPage() {
  return (
    <section class="page">
      <PageHead title="There is no such page">Perhaps it is one of these.</PageHead>
      <Cards entries={ENTRIES} />
    </section>
  );
}

/** Pages as a list of links with a sentence each. */
export function Cards({ entries }: { entries: typeof ENTRIES }) {
  return (
    <ul class="cards">
      {entries.map(({ path, title, summary, icon }) => (
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
