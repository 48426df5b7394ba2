import { useSignal } from "@preact/signals";
import { useLoader } from "../api/loader.ts";
import { PageHead } from "../app/shell.tsx";
import { linkWords, words } from "../app/language/words.ts";
import { IncompleteRequest, RequestFailure, stateOf } from "../requests/request-state.tsx";
import { parseRequestLink, type CollectLink } from "../../wire/links/links.ts";
import { RequestPanel } from "../requests/request-panel.tsx";
import { hasUnshown } from "../requests/collect-answers.ts";
import { fetchOwnRequest, UNANSWERED, type RequestInfo } from "../requests/request.ts";

/** The page behind the link that an asker keeps. */
export function Page() {
  const read = parseRequestLink(location.href);
  return (
    <section class="page">
      {read.is === "collect" ? <OwnRequest link={read.link} /> : <IncompleteRequest />}
    </section>
  );
}

function OwnRequest({ link }: { link: CollectLink }) {
  const request = useSignal<RequestInfo>({ ...UNANSWERED, id: link.id, expiry: "" });
  const { state, reload } = useLoader(async () => void (request.value = await fetchOwnRequest(link)));
  const { pages, reveal } = words();
  if (state.value.is === "failed")
    return <RequestFailure failure={state.value.failure} onRetry={() => void reload()} />;
  if (state.value.is === "loading") return <PageHead title={pages.collect.title}>{reveal.loading}</PageHead>;
  const { status } = request.value;
  const isKept = status === "collected" && hasUnshown(link.id, []);
  return (
    <>
      <PageHead title={pages.collect.title}>
        {isKept ? linkWords().opened.kept : stateOf(request.value)}
      </PageHead>
      <RequestPanel link={link} request={request} />
    </>
  );
}
