import { hrefTo } from "../app/paths/base.ts";
import { words } from "../app/language/words.ts";
import { pathOf } from "../../wire/pages.ts";
import { Icon } from "../parts/icon.tsx";
import { Journey } from "./journey.tsx";

/** What happens to a secret, and why that can be believed; beside the form where there is room. */
export function Why() {
  const { trust: t, pages } = words();
  return (
    <aside class="why" aria-labelledby="why">
      <h2 id="why">{t.title}</h2>
      <Journey />
      <ul class="assurances">
        <li>
          <Icon name="shield" />
          <span>
            {t.verifiable} <a href={hrefTo(pathOf("verify"))}>{pages.verify.title}</a>
          </span>
        </li>
        <li>
          <Icon name="eye" />
          <a href={hrefTo(pathOf("how-it-works"))}>{pages["how-it-works"].title}</a>
        </li>
      </ul>
    </aside>
  );
}
