import { pathOf } from "../../wire/pages.ts";
import { words } from "../app/language/words.ts";
import { hrefTo } from "../app/paths/base.ts";
import { PageHead } from "../app/shell.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import "../style/trust.css";

const PARTS = [
  ["sealed", "lock"],
  ["link", "key"],
  ["once", "open"],
  ["gone", "clock"],
  ["knows", "eye"],
  ["cannot", "shield"],
] as const satisfies readonly (readonly [string, IconName])[];

/** Where the key is, what the server sees, and what it cannot do. */
export function Page() {
  const { proof: t, pages } = words();
  return (
    <section class="page">
      <PageHead title={pages["how-it-works"].title}>{t.how.lead}</PageHead>
      <KeyDrawing />
      <ul class="points">
        {PARTS.map(([part, icon]) => (
          <li key={part}>
            <span class="station">
              <Icon name={icon} size={22} />
            </span>
            <div>
              <h2>{t.how[part].title}</h2>
              <p>{t.how[part].text}</p>
            </div>
          </li>
        ))}
      </ul>
      <div class="actions">
        <a class="button primary" href={hrefTo("/")}>
          <Icon name="share" />
          {pages.share.title}
        </a>
        <a class="button" href={hrefTo(pathOf("verify"))}>
          <Icon name="shield" />
          {pages.verify.title}
        </a>
      </div>
    </section>
  );
}

/** The parts of a link: which of them the server sees, and which stay between sender and reader. */
function KeyDrawing() {
  const t = words().proof.drawing;
  return (
    <figure class="key-drawing">
      <p class="code" aria-hidden="true">
        <span class="seen">https://…/s/Yk3vQ8mZ</span>
        <span class="kept">#7fGh….pR9sX2…</span>
      </p>
      <figcaption>
        <span class="seen">{t.seen}</span>
        <span class="kept">{t.kept}</span>
      </figcaption>
    </figure>
  );
}
