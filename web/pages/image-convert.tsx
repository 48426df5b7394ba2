import { PageHead } from "../shell.tsx";

export function ImageConvertPage() {
  return (
    <section class="page">
      <PageHead title="Soon" />
    </section>
  );
}
