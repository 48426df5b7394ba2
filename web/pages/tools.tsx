import { isOffered, GROUPS, PAGES, type Group } from "../app/paths/pages.ts";
import { words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";
import { Cards } from "../parts/cards.tsx";

function hasPages(of: Group): boolean {
  return PAGES.some(({ group, name }) => group === of && isOffered(name));
}

/** Every page at a glance, in its group. */
export function Page() {
  const { pages, tools, frame } = words();
  return (
    <section class="page wide">
      <PageHead title={pages.tools.title}>{tools.lead}</PageHead>
      {GROUPS.filter(hasPages).map((group) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{frame.groups[group]}</h2>
          <Cards pages={PAGES.filter((each) => each.group === group)} />
        </section>
      ))}
    </section>
  );
}
