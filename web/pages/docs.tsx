import { PageHead } from "../shell.tsx";

export function DocsPage() {
  return (
    <section class="page">
      <PageHead title="Soon" />
    </section>
  );
}
