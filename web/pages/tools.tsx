import { TOOLS } from "../app/paths/pages.ts";
import { words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";
import { Cards } from "../parts/cards.tsx";

/** All tools at a glance. */
export function Page() {
  return (
    <section class="page">
      <PageHead title={words().pages.tools.title}>{words().tools.lead}</PageHead>
      <Cards pages={TOOLS} />
    </section>
  );
}
