import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CurlCommand } from "../parts/copy.tsx";
import { SecretField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { fetchStatus, revealSecret, type RevealedContent, type SecretStatus } from "../secrets/reveal.ts";
import { formatRelativeTime, formatTime } from "../app/format.ts";
import { rememberOpened, wasOpenedHere } from "../secrets/opened-ids.ts";
import { parseLink, type SecretLink } from "../secrets/secret-link.ts";
import { describeError, type Failure } from "../api/server.ts";
import { PageHead } from "../app/shell.tsx";
import { OpenedSecret } from "../secrets/opened-secret.tsx";
import { LinkForm } from "../secrets/link-form.tsx";

type State =
  | { readonly is: "loading" }
  | { readonly is: "ready"; readonly secret: SecretStatus }
  | { readonly is: "opened"; readonly opened: RevealedContent }
  | { readonly is: "failed"; readonly failure: Failure };

/** The page behind a link. Loading it reads nothing; only the button does. */
export function Page() {
  const read = parseLink(location.href);
  return (
    <section class="page">
      {read.is === "complete" ? <SecretAt link={read.link} /> : <IncompleteLink />}
    </section>
  );
}

function IncompleteLink() {
  return (
    <>
      <PageHead title="This link is not whole">
        A piece of it was lost on the way, perhaps where a line was wrapped. Nothing was read or used up.
      </PageHead>
      <p>Ask for it again, or paste the whole link here.</p>
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
      state.value = { is: "failed", failure: describeError(error) };
    }
  };
  useEffect(() => void load(), []);
  const now = state.value;
  if (now.is === "loading")
    return <PageHead title="A secret for you">Looking whether it is still there…</PageHead>;
  if (now.is === "opened") return <OpenedSecret opened={now.opened} />;
  if (now.is === "failed") return <StatusFailure failure={now.failure} onRetry={() => void load()} />;
  if (now.secret.status !== "active") return <Ended id={link.id} secret={now.secret} />;
  return <Unopened link={link} secret={now.secret} state={state} />;
}

function StatusFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  if (failure.code === "secret_not_found") {
    return (
      <>
        <PageHead title="No secret opens with this link">
          Either the link was changed on the way, or it ended so long ago that nothing is known of it any
          more. Nothing was read or used up.
        </PageHead>
        <p>Compare it with what you were sent, or paste the whole link here.</p>
        <LinkForm />
      </>
    );
  }
  return (
    <>
      <PageHead title="A secret for you">Nothing has been read yet.</PageHead>
      <FailureNote failure={failure} />
      <p>
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      </p>
    </>
  );
}

const ENDS = {
  revealed: [
    "This secret was opened before you",
    "A secret opens once. If it was not you, somebody else has the link: tell the sender, who should change what was in it.",
  ],
  revoked: ["This secret was withdrawn", "The sender deleted it before it was read. Ask for another link."],
  expired: ["This secret has expired", "Its time ran out before it was read. Ask for another link."],
  locked: [
    "This secret was locked",
    "Somebody tried ten wrong passphrases, and it was deleted unread. Tell the sender, and ask for another link.",
  ],
} as const;

const OPENED_HERE = [
  "You have already opened this secret",
  "It opened in this tab and was deleted from the server then, so it cannot be shown again. If you did not keep it, ask the sender for another link.",
] as const;

function Ended({ id, secret: { status, closed } }: { id: string; secret: SecretStatus }) {
  if (status === "active") return null;
  const [title, advice] = status === "revealed" && wasOpenedHere(id) ? OPENED_HERE : ENDS[status];
  return (
    <>
      <PageHead title={title}>{closed ? `${formatTime(closed)}.` : undefined}</PageHead>
      <p>{advice}</p>
    </>
  );
}

interface UnopenedProps {
  readonly link: SecretLink;
  readonly secret: SecretStatus;
  readonly state: Signal<State>;
}

function Unopened({ link, secret, state }: UnopenedProps) {
  const passphrase = useSignal("");
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const reveal = async (event: Event) => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const opened = await revealSecret(link, { secret, passphrase: passphrase.value });
      rememberOpened(link.id);
      state.value = { is: "opened", opened };
    } catch (error) {
      failure.value = describeError(error);
      if (failure.value.code === "secret_gone")
        state.value = { is: "ready", secret: statusFromFailure(failure.value, secret) };
    }
    isBusy.value = false;
  };
  return (
    <>
      <PageHead title="A secret for you">It can be read once. Nothing has been read yet.</PageHead>
      <SecretFacts link={link} secret={secret} />
      <form class="stack" onSubmit={(event) => void reveal(event)}>
        {secret.hasPassphrase && <PassphraseField passphrase={passphrase} failure={failure.value} />}
        {failure.value && <RevealFailure failure={failure.value} />}
        <div class="actions">
          <button class="primary big" aria-busy={isBusy.value}>
            <Icon name="open" />
            {isBusy.value ? "Opening…" : "Reveal the secret"}
          </button>
        </div>
      </form>
      {!secret.isEncrypted && (
        <CurlCommand line={revealLine(link, secret)}>This reads it, once, without a browser.</CurlCommand>
      )}
    </>
  );
}

function statusFromFailure({ fields }: Failure, secret: SecretStatus): SecretStatus {
  const { secretStatus, closed } = fields;
  return {
    ...secret,
    status: isEnd(secretStatus) ? secretStatus : "expired",
    closed: typeof closed === "string" ? closed : null,
  };
}

function isEnd(status: unknown): status is keyof typeof ENDS {
  return typeof status === "string" && status in ENDS;
}

function SecretFacts({ link, secret }: { link: SecretLink; secret: SecretStatus }) {
  const isForeign = secret.isEncrypted && link.inner === undefined;
  return (
    <>
      <ul class="assurances">
        <li>
          <Icon name={secret.isEncrypted ? "shield" : "lock"} />
          {secret.isEncrypted
            ? "Encrypted end to end: the server cannot read it."
            : "Sealed on the server under the key in your link."}
        </li>
        <li>
          <Icon name="clock" />
          Deleted {formatRelativeTime(secret.expiry)} if nobody opens it.
        </li>
      </ul>
      {isForeign && (
        <Note kind="warn" title="You will need something else to read it">
          The sender encrypted it with a program of their own, or the end of the link is missing: links of
          text encrypted here have a dot and 43 more characters. Compare yours with what you were sent before
          you reveal it.
        </Note>
      )}
    </>
  );
}

function PassphraseField({
  passphrase,
  failure,
}: {
  passphrase: Signal<string>;
  failure: Failure | undefined;
}) {
  return (
    <SecretField
      label="Passphrase"
      value={passphrase}
      isRequired
      isInvalid={failure?.code === "wrong_passphrase"}
      hint="The sender gave it to you some other way. Ten wrong tries delete the secret."
    />
  );
}

function RevealFailure({ failure }: { failure: Failure }) {
  const { attemptsLeft } = failure.fields;
  if (failure.code !== "wrong_passphrase" || typeof attemptsLeft !== "number")
    return <FailureNote failure={failure} />;
  return (
    <Note kind="bad" title="That is not the passphrase">
      {attemptsLeft > 0
        ? `${attemptsLeft === 1 ? "One try is" : `${attemptsLeft} tries are`} left. Nothing was read.`
        : "That was the last try: the secret is deleted, unread."}
    </Note>
  );
}

function revealLine({ id, key }: SecretLink, { hasPassphrase }: SecretStatus): string {
  const passphrase = hasPassphrase ? ` --data-urlencode "passphrase=$PASSPHRASE"` : "";
  return `curl -d key=${key}${passphrase} '${location.origin}/api/secrets/${id}/reveal?raw=true'`;
}
