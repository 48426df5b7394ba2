import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Curl } from "../parts/copy.tsx";
import { SecretField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Failure } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { askStatus, revealSecret, type Opened, type Waiting } from "../secrets/reveal.ts";
import { sayFromNow, sayTime } from "../app/format.ts";
import { readLink, type SecretLink } from "../secrets/secret-link.ts";
import { tell, type Told } from "../api/server.ts";
import { PageHead } from "../app/shell.tsx";
import { OpenedSecret } from "../secrets/opened.tsx";
import { LinkForm } from "./open.tsx";

type State =
  | { readonly is: "asking" }
  | { readonly is: "waiting"; readonly waiting: Waiting }
  | { readonly is: "opened"; readonly opened: Opened }
  | { readonly is: "lost"; readonly told: Told };

/** The page behind a link. Loading it reads nothing; only the button does. */
export function RevealPage() {
  const read = readLink(location.href);
  return <section class="page">{read.is === "whole" ? <SecretAt link={read.link} /> : <CutLink />}</section>;
}

function CutLink() {
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
  const state = useSignal<State>({ is: "asking" });
  const ask = async () => {
    try {
      const waiting = await askStatus(link);
      state.value = { is: "waiting", waiting };
    } catch (error) {
      state.value = { is: "lost", told: tell(error) };
    }
  };
  useEffect(() => void ask(), []);
  const now = state.value;
  if (now.is === "asking")
    return <PageHead title="A secret for you">Looking whether it is still there…</PageHead>;
  if (now.is === "opened") return <OpenedSecret opened={now.opened} />;
  if (now.is === "lost") return <Lost told={now.told} onRetry={() => void ask()} />;
  if (now.waiting.status !== "active") return <Ended waiting={now.waiting} />;
  return <Unopened link={link} waiting={now.waiting} state={state} />;
}

function Lost({ told, onRetry }: { told: Told; onRetry: () => void }) {
  if (told.code === "secret_not_found") {
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
      <Failure told={told} />
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

function Ended({ waiting: { status, closed } }: { waiting: Waiting }) {
  if (status === "active") return null;
  const [title, advice] = ENDS[status];
  return (
    <>
      <PageHead title={title}>{closed ? `${sayTime(closed)}.` : undefined}</PageHead>
      <p>{advice}</p>
    </>
  );
}

interface UnopenedProps {
  readonly link: SecretLink;
  readonly waiting: Waiting;
  readonly state: Signal<State>;
}

function Unopened({ link, waiting, state }: UnopenedProps) {
  const passphrase = useSignal("");
  const told = useSignal<Told | undefined>(undefined);
  const isBusy = useSignal(false);
  const reveal = async (event: Event) => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      state.value = {
        is: "opened",
        opened: await revealSecret(link, { waiting, passphrase: passphrase.value }),
      };
    } catch (error) {
      told.value = tell(error);
      if (told.value.code === "secret_gone")
        state.value = { is: "waiting", waiting: endedBy(told.value, waiting) };
    }
    isBusy.value = false;
  };
  return (
    <>
      <PageHead title="A secret for you">It can be read once. Nothing has been read yet.</PageHead>
      <WaitingFacts link={link} waiting={waiting} />
      <form class="stack" onSubmit={(event) => void reveal(event)}>
        {waiting.hasPassphrase && <PassphraseField passphrase={passphrase} told={told.value} />}
        {told.value && <WhyNot told={told.value} />}
        <div class="actions">
          <button class="primary big" aria-busy={isBusy.value}>
            <Icon name="open" />
            {isBusy.value ? "Opening…" : "Reveal the secret"}
          </button>
        </div>
      </form>
      {!waiting.isEncrypted && (
        <Curl line={revealLine(link, waiting)}>This reads it, once, without a browser.</Curl>
      )}
    </>
  );
}

function endedBy({ fields }: Told, waiting: Waiting): Waiting {
  const { secretStatus, closed } = fields;
  const isEnd = typeof secretStatus === "string" && secretStatus in ENDS;
  // `in` has just looked it up.
  const status = isEnd ? (secretStatus as keyof typeof ENDS) : "expired";
  return { ...waiting, status, closed: typeof closed === "string" ? closed : null };
}

function WaitingFacts({ link, waiting }: { link: SecretLink; waiting: Waiting }) {
  const isForeign = waiting.isEncrypted && link.inner === undefined;
  return (
    <>
      <ul class="assurances">
        <li>
          <Icon name={waiting.isEncrypted ? "shield" : "lock"} />
          {waiting.isEncrypted
            ? "Encrypted end to end: the server cannot read it."
            : "Sealed on the server under the key in your link."}
        </li>
        <li>
          <Icon name="clock" />
          Deleted {sayFromNow(waiting.expiry)} if nobody opens it.
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

function PassphraseField({ passphrase, told }: { passphrase: Signal<string>; told: Told | undefined }) {
  return (
    <SecretField
      label="Passphrase"
      value={passphrase}
      isRequired
      isInvalid={told?.code === "wrong_passphrase"}
      hint="The sender gave it to you some other way. Ten wrong tries delete the secret."
    />
  );
}

function WhyNot({ told }: { told: Told }) {
  const { attemptsLeft } = told.fields;
  if (told.code !== "wrong_passphrase" || typeof attemptsLeft !== "number") return <Failure told={told} />;
  return (
    <Note kind="bad" title="That is not the passphrase">
      {attemptsLeft > 0
        ? `${attemptsLeft === 1 ? "One try is" : `${attemptsLeft} tries are`} left. Nothing was read.`
        : "That was the last try: the secret is deleted, unread."}
    </Note>
  );
}

function revealLine({ id, key }: SecretLink, { hasPassphrase }: Waiting): string {
  const passphrase = hasPassphrase ? ` --data-urlencode "passphrase=$PASSPHRASE"` : "";
  return `curl -d key=${key}${passphrase} '${location.origin}/api/secrets/${id}/reveal?raw=true'`;
}
