import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { SERVER_URL } from "../app/paths/base.ts";
import { PageHead } from "../app/shell.tsx";
import { fill, words } from "../app/language/words.ts";
import { TextField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";
import { ContentView } from "../secrets/open/content-view.tsx";
import { parseLink, parseRequestLink, type CollectLink } from "../../wire/links/links.ts";
import { Receipt } from "../secrets/open/receipt.tsx";
import { forgetAnswer, type TakenAnswer } from "./collect-answers.ts";
import { openCollected, postReceived } from "./request.ts";

/** An answer that was taken from the server: this page has the only copy, encrypted or not. */
export function CollectedAnswer({
  taken: { content, ticket },
  link,
  number,
  onReceived,
}: {
  taken: TakenAnswer;
  link: CollectLink;
  /** Its number, where there are several. */
  number: number | undefined;
  /** Called when the server and this tab have forgotten it. */
  onReceived: () => void;
}) {
  const text = useSignal<string | undefined>(undefined);
  const isFailed = useSignal(false);
  const open = async (privateKey: string) => {
    try {
      text.value = await openCollected(content, { ...link, privateKey });
    } catch {
      isFailed.value = true;
    }
    return text.value !== undefined;
  };
  const confirm = async () => {
    await postReceived(link, ticket);
    forgetAnswer(link.id, ticket);
    onReceived();
  };
  useEffect(() => void open(link.privateKey), []);
  if (text.value === undefined && !isFailed.value) return <p class="loading">{words().asking.reading}</p>;
  return (
    <>
      {text.value === undefined ? (
        <SealedAnswer content={content} number={number} onKey={open} />
      ) : (
        <OpenedAnswer text={text.value} number={number} />
      )}
      <Receipt confirm={confirm} />
    </>
  );
}

function titleOf(number: number | undefined): string {
  const { answerTitle, several } = words().asking;
  return number === undefined ? answerTitle : fill(several.answerTitle, { number });
}

/** A single answer has the page's heading; several have headings below it. */
function AnswerHead({ number, children }: { number: number | undefined; children?: ComponentChildren }) {
  if (number === undefined) return <PageHead title={titleOf(number)}>{children}</PageHead>;
  return <h2>{titleOf(number)}</h2>;
}

function OpenedAnswer({ text, number }: { text: string; number: number | undefined }) {
  const t = words().asking;
  const link = fileLinkIn(text);
  return (
    <section class="stack">
      <AnswerHead number={number}>{words().opened.lead}</AnswerHead>
      {link && (
        <Note title={t.isFile}>
          <a class="button primary" href={link} target="_blank" rel="noopener">
            <Icon name="file" />
            {t.openFile}
          </a>
        </Note>
      )}
      <ContentView text={text} label={titleOf(number)} />
    </section>
  );
}

/** The link to a secret of this server, where the answer is a file; links to other servers stay text. */
function fileLinkIn(text: string): string | undefined {
  const url = text.trim();
  const read = parseLink(url);
  const isHere = read.is === "complete" && read.link.server === SERVER_URL && !/\s/.test(url);
  return isHere ? url : undefined;
}

function SealedAnswer({
  content,
  number,
  onKey,
}: {
  content: string;
  number: number | undefined;
  /** Resolves to whether this key opens it. */
  onKey: (privateKey: string) => Promise<boolean>;
}) {
  const t = words().asking;
  const link = useSignal("");
  const isStill = useSignal(false);
  const submit = async () => {
    isStill.value = false;
    const read = parseRequestLink(link.value);
    const isOpen = read.is === "collect" && (await onKey(read.link.privateKey));
    isStill.value = !isOpen;
  };
  return (
    <section class="stack">
      <AnswerHead number={number} />
      <Note kind="bad">{t.sealed}</Note>
      <form class="stack" onSubmit={() => void submit()}>
        <TextField label={words().opened.wholeLink} value={link} isCode />
        {isStill.value && <Note kind="bad">{words().opened.stillSealed}</Note>}
        <div class="actions">
          <button class="primary">{words().opened.decrypt}</button>
        </div>
      </form>
      <ContentView text={content} label={words().opened.foreignLabel} />
    </section>
  );
}
