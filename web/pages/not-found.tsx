import { PAGES } from "../app/pages.ts";
import { PageHead } from "../app/shell.tsx";
import { Cards } from "../parts/cards.tsx";

/** For a path without a page. */
export function Page() {
  return (
    <section class="page">
      <PageHead title="There is no such page">Perhaps it is one of these.</PageHead>
      <Cards pages={PAGES.filter(({ group }) => group)} />
    </section>
  );
}
