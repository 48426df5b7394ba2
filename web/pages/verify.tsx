import "../style/trust.css";
import { SERVER_URL } from "../app/paths/base.ts";
import { words } from "../app/language/words.ts";
import { PageHead, release } from "../app/shell.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Note } from "../parts/note.tsx";

/** How to find out whether these pages are the ones that were released. */
export function Page() {
  const { proof, pages, common } = words();
  const t = proof.verify;
  const { version, digest } = release();
  const line = `npx hushkit@${version} verify ${SERVER_URL}`;
  return (
    <section class="page">
      <PageHead title={pages.verify.title}>{t.lead}</PageHead>
      <ol class="steps">
        <li>
          <h2>{t.read.title}</h2>
          <p>{t.read.text}</p>
          <pre class="line" tabIndex={0}>
            {version} {digest}
          </pre>
        </li>
        <li>
          <h2>{t.compare.title}</h2>
          <p>{t.compare.text}</p>
          <pre class="line" tabIndex={0}>
            {line}
          </pre>
          <CopyButton kind="small" text={() => line} label={common.copyCommand} />
        </li>
        <li>
          <h2>{t.build.title}</h2>
          <p>{t.build.text}</p>
        </li>
      </ol>
      <Note kind="warn" title={t.limits.title}>
        {t.limits.text}
      </Note>
    </section>
  );
}
