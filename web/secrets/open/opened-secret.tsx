import { useSignal } from "@preact/signals";
import { SecretField, TextField } from "../../parts/field.tsx";
import { Seal } from "../../parts/icon.tsx";
import { Note } from "../../parts/note.tsx";
import { ContentView } from "./content-view.tsx";
import { Receipt } from "./receipt.tsx";
import { decryptWith, type RevealedContent } from "./reveal.ts";
import { parseLink } from "../../../wire/links/links.ts";
import { fill, linkWords } from "../../app/language/words.ts";
import { PageHead } from "../../app/shell.tsx";

/** The content of a revealed secret. This page has the only copy. */
export function OpenedSecret({ opened }: { opened: RevealedContent }) {
  const rescued = useSignal<string | undefined>(undefined);
  if (opened.is === "file") return <opened.View delivery={opened.delivery} confirm={opened.confirm} />;
  return (
    <>
      {opened.is === "text" && <SecretText text={opened.text} />}
      {opened.is === "foreign" && <Foreign content={opened.content} />}
      {opened.is === "sealed" &&
        (rescued.value === undefined ? (
          <Sealed opened={opened} onText={(text) => (rescued.value = text)} />
        ) : (
          <SecretText text={rescued.value} />
        ))}
      <Receipt confirm={opened.confirm} />
    </>
  );
}

function SecretText({ text }: { text: string }) {
  return (
    <>
      <Seal isBroken />
      <PageHead title={linkWords().opened.title}>{linkWords().opened.lead}</PageHead>
      <ContentView text={text} label={linkWords().opened.label} />
    </>
  );
}

const FOREIGN: readonly { readonly begins: RegExp; readonly name: string; readonly line: string }[] = [
  { begins: /^-----BEGIN PGP MESSAGE-----/, name: "OpenPGP", line: "gpg --decrypt secret.txt" },
  {
    begins: /^-----BEGIN AGE ENCRYPTED FILE-----/,
    name: "age",
    line: "age --decrypt -i KEY_FILE secret.txt",
  },
  {
    begins: /^U2FsdGVkX1/,
    name: "openssl enc",
    line: "openssl enc -d -aes-256-cbc -pbkdf2 -a -in secret.txt",
  },
];

function Foreign({ content }: { content: string }) {
  const t = linkWords().opened;
  const known = FOREIGN.find(({ begins }) => begins.test(content.trimStart()));
  return (
    <>
      <PageHead title={t.foreignTitle}>{t.foreignLead}</PageHead>
      <ContentView text={content} label={t.foreignLabel} />
      {known && (
        <Note title={fill(t.looksLike, { program: known.name })}>
          <p>{t.decryptWith}</p>
          <pre class="line" tabIndex={0}>
            {known.line}
          </pre>
        </Note>
      )}
    </>
  );
}

// The first part of the link was right, so the server returned the content. The second part may still be found.
function Sealed({
  opened: { content, passphrase },
  onText,
}: {
  opened: Extract<RevealedContent, { is: "sealed" }>;
  onText: (text: string) => void;
}) {
  const link = useSignal("");
  const typed = useSignal(passphrase);
  const t = linkWords().opened;
  const isFailed = useSignal(false);
  const open = async () => {
    const read = parseLink(link.value);
    const inner = read.is === "complete" ? read.link.inner : undefined;
    try {
      onText(await decryptWith(inner ?? "", { content, passphrase: typed.value }));
    } catch {
      // Whatever the cause, the link and the passphrase are what a person can check.
      isFailed.value = true;
    }
  };
  return (
    <>
      <PageHead title={t.sealedTitle}>{t.sealedLead}</PageHead>
      <form class="stack" onSubmit={() => void open()}>
        <TextField label={t.wholeLink} value={link} isCode />
        <SecretField label={t.passphrase} value={typed} />
        {isFailed.value && <Note kind="bad">{t.stillSealed}</Note>}
        <div class="actions">
          <button class="primary">{t.decrypt}</button>
        </div>
      </form>
      <ContentView text={content} label={t.foreignLabel} />
    </>
  );
}
