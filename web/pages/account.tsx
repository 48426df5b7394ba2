import { PageHead } from "../shell.tsx";

export function AccountPage() {
  return (
    <section class="page">
      <PageHead title="Soon" />
    </section>
  );
}
