import { TOOLS } from "../app/pages.ts";
import { PageHead } from "../app/shell.tsx";
import { Cards } from "../parts/cards.tsx";

/** All tools at a glance. */
export function Page() {
  return (
    <section class="page">
      <PageHead title="All tools">
        They work in your browser; what you give them stays on your machine.
      </PageHead>
      <Cards pages={TOOLS} />
    </section>
  );
}
