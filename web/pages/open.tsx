import { words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";
import { LinkForm } from "../secrets/open/link-form.tsx";

/** For a link that cannot be clicked. */
export function Page() {
  return (
    <section class="page">
      <PageHead title={words().pages.open.title}>{words().open.lead}</PageHead>
      <LinkForm />
    </section>
  );
}
