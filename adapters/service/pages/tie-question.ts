import type { ServiceContext } from "../request-context.ts";
import { personPage } from "./person-page.ts";
import { escapeHtml } from "./texts.ts";

/** What is to be tied to what. */
interface TieQuestion {
  /** What the member is called here. */
  readonly account: string;
  /** What the provider calls its account. */
  readonly identity: string;
  readonly provider: string;
  /** Where a yes goes. */
  readonly action: string;
}

/** Asks a person whether an account of the provider is to open theirs here. */
export function tieQuestion(context: ServiceContext, { action, ...about }: TieQuestion): Response {
  // By a function, because a name may have what `replace` reads as its own.
  const named = (_: string, word: keyof typeof about) => `<b><bdi>${escapeHtml(about[word])}</bdi></b>`;
  return personPage(context, {
    title: (t) => t.tieTitle,
    main: (t) => `<p>${t.tieLead.replace(/\{\{(account|identity|provider)\}\}/g, named)}</p>
<form method="post" action="${escapeHtml(action)}"><button>${t.tieYes}</button></form>`,
    back: (t) => t.tieNo,
  });
}
