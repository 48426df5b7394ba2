import { PAGES } from "../app/paths/pages.ts";
import { words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";
import { Cards } from "../parts/cards.tsx";

/** For a path without a page. */
export function Page() {
  return (
    <section class="page">
      <PageHead title={words().pages["not-found"].title}>{words().notFound.lead}</PageHead>
      <Cards pages={PAGES.filter(({ group }) => group)} />
    </section>
  );
}
