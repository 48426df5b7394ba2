import { useSignal } from "@preact/signals";
import { formatMoment } from "../app/language/format.ts";
import { PageHead } from "../app/shell.tsx";
import { confirmLeave, useUnsaved } from "../app/unsaved.tsx";
import { fill, words } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { LinkPanel } from "../secrets/send/link-panel.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { isForSeveral, stateOf } from "./request-state.tsx";
import { UNANSWERED, type OpenRequest, type RequestInfo } from "./request.ts";

/** A new request: the link to give away, the link to keep, and its state. */
export function AskedRequest({ asked, onAnother }: { asked: OpenRequest; onAnother: () => void }) {
  const { id, expiry, answers, giveUrl, keepUrl } = asked;
  const request = useSignal<RequestInfo>({ ...UNANSWERED, id, expiry, answers });
  const isGiven = useSignal(false);
  const isKept = useSignal(false);
  const { status } = request.value;
  const isOfSeveral = isForSeveral(asked);
  const isOpen = status === "open";
  useUnsaved("link", isOpen && !isGiven.value);
  useUnsaved("keepLink", (isOpen || status === "answered") && !isKept.value);
  const askAnother = async () => {
    if (await confirmLeave()) onAnother();
  };
  const t = words().asking;
  const isWaiting = isOpen || status === "answered";
  return (
    <section class="page">
      <PageHead title={isOpen ? t.createdTitle : words().pages.collect.title} isResult>
        {isOpen ? t.createdLead : stateOf(request.value)}
      </PageHead>
      {isOpen && (
        <LinkPanel
          url={giveUrl}
          label={t.give}
          copy={t.copyGive}
          sentence={fill(isOfSeveral ? t.several.message : t.message, {
            answers,
            time: formatMoment(expiry),
          })}
          hasQr
          onCopied={() => (isGiven.value = true)}
        >
          <h2>{t.give}</h2>
          <p class="hint">{isOfSeveral ? fill(t.several.giveHint, { answers }) : t.giveHint}</p>
        </LinkPanel>
      )}
      {isWaiting && (
        <LinkPanel
          url={keepUrl}
          label={t.keep}
          copy={t.copyKeep}
          isSecond
          onCopied={() => (isKept.value = true)}
        >
          <h2>{t.keep}</h2>
          <p class="hint">{t.keepHint}</p>
        </LinkPanel>
      )}
      <RequestPanel link={asked} request={request} />
      <div class="actions">
        <button type="button" onClick={() => void askAnother()}>
          <Icon name="ask" />
          {t.another}
        </button>
      </div>
    </section>
  );
}
