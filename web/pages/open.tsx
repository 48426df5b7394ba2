import { PageHead } from "../app/shell.tsx";
import { LinkForm } from "../secrets/link-form.tsx";

/** For a link that cannot be clicked. */
export function Page() {
  return (
    <section class="page">
      <PageHead title="Open a link">
        Paste the whole link that somebody sent you. Nothing is read until you say so.
      </PageHead>
      <LinkForm />
    </section>
  );
}
