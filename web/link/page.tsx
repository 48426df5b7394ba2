import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CurlCommand } from "../parts/copy.tsx";
import { SecretField } from "../parts/field.tsx";
import { hrefTo } from "../app/paths/base.ts";
import { Ending, SECRET_ENDS } from "../parts/ending.tsx";
import { Icon, Seal } from "../parts/icon.tsx";
import { FailureNote, Retry } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import {
  postReveal,
  type RevealedContent,
  rememberOpened,
  wasOpenedHere,
  forgetTicket,
  hasTicket,
} from "../secrets/open/reveal.ts";
import { fetchStatus, type StatusAnswer, openingLine } from "../secrets/status.ts";
import { canEncrypt } from "../app/browser.ts";
import { formatBytes, formatRelativeTime } from "../app/language/format.ts";
import { parseLink, type SecretLink } from "../../wire/links/links.ts";
import { toFailure, type Failure } from "../api/failure.ts";
import { fill, formatCount, linkWords } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";
import { OpenedSecret } from "../secrets/open/opened-secret.tsx";
import { LinkForm } from "../secrets/open/link-form.tsx";

type State =
  | { readonly is: "loading" }
  | { readonly is: "ready"; readonly secret: StatusAnswer }
  | { readonly is: "opened"; readonly opened: RevealedContent }
  | { readonly is: "failed"; readonly failure: Failure };

/** The page behind a link. Loading it reads nothing; only the button does. */
export function Page() {
  const read = parseLink(location.href);
  return (
    <section class="page">
      {read.is === "complete" ? <SecretAt link={read.link} /> : <BadLink is="incomplete" />}
    </section>
  );
}

/** Nothing can be opened with this link: words by what they begin with. */
function BadLink({ is }: { is: "incomplete" | "unknown" }) {
  const t = linkWords().reveal;
  return (
    <>
      <PageHead title={t[`${is}Title`]}>{t[`${is}Lead`]}</PageHead>
      <p>{t[`${is}Advice`]}</p>
      <LinkForm />
    </>
  );
}

function SecretAt({ link }: { link: SecretLink }) {
  const state = useSignal<State>({ is: "loading" });
  const load = async () => {
    try {
      const secret = await fetchStatus(link);
      state.value = { is: "ready", secret };
    } catch (error) {
      state.value = { is: "failed", failure: toFailure(error) };
    }
  };
  useEffect(() => void load(), []);
  const now = state.value;
  const { reveal: t } = linkWords();
  if (now.is === "loading") return <PageHead title={t.title}>{t.loading}</PageHead>;
  if (now.is === "opened") return <OpenedSecret opened={now.opened} />;
  if (now.is === "failed") return <StatusFailure failure={now.failure} onRetry={() => void load()} />;
  const isKept = now.secret.status === "revealed" && hasTicket(link.id);
  if (now.secret.status !== "active" && !isKept) return <Ended id={link.id} secret={now.secret} />;
  if (now.secret.isEncrypted && link.inner !== undefined && !canEncrypt()) return <Undecryptable />;
  return <Unopened link={link} secret={now.secret} state={state} />;
}

function StatusFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const { reveal: t } = linkWords();
  if (failure.code === "secret_not_found") return <BadLink is="unknown" />;
  return (
    <>
      <PageHead title={t.title}>{t.unread}</PageHead>
      <Retry failure={failure} onRetry={onRetry} />
    </>
  );
}

function Ended({ id, secret: { status, closed } }: { id: string; secret: StatusAnswer }) {
  if (status === "active") return null;
  const { ends } = linkWords().reveal;
  const isOwn = status === "revealed" && wasOpenedHere(id);
  const { title, advice } = isOwn ? ends.here : ends[status];
  return (
    <Ending kind={SECRET_ENDS[status]} title={title} closed={closed} advice={advice}>
      <a class="button" href={hrefTo("/ask")}>
        <Icon name="ask" />
        {linkWords().reveal.askAgain}
      </a>
    </Ending>
  );
}

// Opened here, the secret would be used up and stay encrypted.
function Undecryptable() {
  const { common, reveal: t } = linkWords();
  return (
    <>
      <PageHead title={t.title} />
      <Note kind="warn">{common.insecure}</Note>
    </>
  );
}

function Unopened({ link, secret, state }: { link: SecretLink; secret: StatusAnswer; state: Signal<State> }) {
  const passphrase = useSignal("");
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const { reveal: t } = linkWords();
  const reveal = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const opened = await postReveal(link, { secret, passphrase: passphrase.value });
      rememberOpened(link.id);
      state.value = { is: "opened", opened };
    } catch (error) {
      failure.value = toFailure(error);
      if (failure.value.code === "secret_gone") {
        forgetTicket(link.id);
        state.value = { is: "ready", secret: statusFromFailure(failure.value, secret) };
      }
    }
    isBusy.value = false;
  };
  return (
    <>
      <PageHead title={t.title}>{secret.status === "active" ? t.lead : t.again}</PageHead>
      <form class="panel" onSubmit={() => void reveal()}>
        <SecretFacts link={link} secret={secret} />
        {secret.hasPassphrase && (
          <SecretField
            label={t.passphrase}
            value={passphrase}
            isRequired
            isInvalid={failure.value?.code === "wrong_passphrase"}
            hint={t.passphraseHint}
          />
        )}
        {failure.value && <RevealFailure failure={failure.value} />}
        <div class="actions">
          <button class="primary sealing" aria-busy={isBusy.value}>
            {isBusy.value ? t.busy : secret.kind === "file" ? t.submitFile : t.submit}
            <Seal isBroken={isBusy.value} />
          </button>
        </div>
      </form>
      {!secret.isEncrypted && secret.status === "active" && (
        <CurlCommand line={openingLine(link, secret)}>{t.command}</CurlCommand>
      )}
    </>
  );
}

function statusFromFailure({ fields }: Failure, secret: StatusAnswer): StatusAnswer {
  // As in the answer of the status.
  const { secretStatus: status, closed } = fields as {
    secretStatus?: keyof typeof SECRET_ENDS;
    closed?: string;
  };
  return { ...secret, status: status && status in SECRET_ENDS ? status : "expired", closed: closed ?? null };
}

function SecretFacts({ link, secret }: { link: SecretLink; secret: StatusAnswer }) {
  const t = linkWords().reveal;
  const isForeign = secret.isEncrypted && link.inner === undefined;
  return (
    <>
      <ul class="assurances">
        {secret.kind === "file" && (
          <li>
            <Icon name="file" />
            {fill(t.file, { size: formatBytes(secret.size ?? 0) })}
          </li>
        )}
        <li>
          <Icon name={secret.isEncrypted ? "shield" : "lock"} />
          {secret.isEncrypted ? t.endToEnd : t.sealed}
        </li>
        {secret.status === "active" && (
          <li>
            <Icon name="clock" />
            {fill(t.deletes, { time: formatRelativeTime(secret.expiry) })}
          </li>
        )}
      </ul>
      {isForeign && (
        <Note kind="warn" title={t.foreignTitle}>
          {t.foreign}
        </Note>
      )}
    </>
  );
}

function RevealFailure({ failure }: { failure: Failure }) {
  const { attemptsLeft } = failure.fields;
  const t = linkWords().reveal;
  if (failure.code !== "wrong_passphrase" || typeof attemptsLeft !== "number")
    return <FailureNote failure={failure} />;
  return (
    <Note kind="bad" title={t.wrongTitle}>
      {attemptsLeft > 0 ? formatCount(attemptsLeft, t.triesLeft) : t.noTriesLeft}
    </Note>
  );
}
