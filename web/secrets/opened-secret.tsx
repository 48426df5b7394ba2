import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "../parts/copy.tsx";
import { SecretField, TextField } from "../parts/field.tsx";
import { useObjectUrl } from "../files/file-result.tsx";
import { Icon } from "../parts/icon.tsx";
import { FailureNote } from "../parts/job.tsx";
import { Note } from "../parts/note.tsx";
import { decryptWith, type RevealedContent } from "./reveal.ts";
import { parseLink } from "./secret-link.ts";
import { describeError, type Failure } from "../api/server.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { PageHead } from "../app/shell.tsx";

/** The content of a revealed secret. This page has the only copy. */
export function OpenedSecret({ opened }: { opened: RevealedContent }) {
  const rescued = useSignal<string | undefined>(undefined);
  if (rescued.value !== undefined) return <SecretText text={rescued.value} />;
  if (opened.is === "text") return <SecretText text={opened.text} />;
  if (opened.is === "foreign") return <Foreign content={opened.content} />;
  return <Sealed opened={opened} onText={(text) => (rescued.value = text)} />;
}

function SecretText({ text }: { text: string }) {
  return (
    <>
      <PageHead title="The secret">
        It is deleted from the server; this page holds the only copy. Save it before you close the page.
      </PageHead>
      <ContentView text={text} label="The secret" />
    </>
  );
}

function ContentView({ text, label }: { text: string; label: string }) {
  const box = useRef<HTMLPreElement>(null);
  const isSaved = useSignal(false);
  const markSaved = () => (isSaved.value = true);
  useEffect(() => box.current?.focus(), [text]);
  useUnsaved("secret", !isSaved.value);
  return (
    <>
      {/* Always a text node, as the content may be HTML. */}
      <pre ref={box} class="secret" tabIndex={0} role="region" aria-label={label} onCopy={markSaved}>
        {text}
      </pre>
      <div class="actions">
        <CopyButton kind="primary" text={() => text} onCopied={markSaved} />
        <SaveText text={text} onSaved={markSaved} />
      </div>
    </>
  );
}

function SaveText({ text, onSaved }: { text: string; onSaved: () => void }) {
  const file = useRef<Blob | undefined>(undefined);
  file.current ??= new Blob([text], { type: "text/plain;charset=utf-8" });
  return (
    <a class="button" href={useObjectUrl(file.current)} download="secret.txt" onClick={onSaved}>
      <Icon name="download" />
      Save as a file
    </a>
  );
}

const FOREIGN: readonly { readonly begins: RegExp; readonly name: string; readonly line: string }[] = [
  { begins: /^-----BEGIN PGP MESSAGE-----/, name: "OpenPGP", line: "gpg --decrypt secret.txt" },
  {
    begins: /^-----BEGIN AGE ENCRYPTED FILE-----/,
    name: "age",
    line: "age --decrypt -i KEY_FILE secret.txt",
  },
  { begins: /^age-encryption\.org\/v1/, name: "age", line: "age --decrypt -i KEY_FILE secret.txt" },
  {
    begins: /^U2FsdGVkX1/,
    name: "openssl enc",
    line: "openssl enc -d -aes-256-cbc -pbkdf2 -a -in secret.txt",
  },
];

function Foreign({ content }: { content: string }) {
  const known = FOREIGN.find(({ begins }) => begins.test(content.trimStart()));
  return (
    <>
      <PageHead title="The secret, still encrypted">
        The sender encrypted it with a program of their own. Here it is as it was sent; it is deleted from the
        server.
      </PageHead>
      <ContentView text={content} label="The encrypted text" />
      {known && (
        <Note title={`This looks like ${known.name}`}>
          <p>Save it as secret.txt, then:</p>
          <pre class="line" tabIndex={0}>
            {known.line}
          </pre>
        </Note>
      )}
    </>
  );
}

interface SealedProps {
  readonly opened: Extract<RevealedContent, { is: "sealed" }>;
  readonly onText: (text: string) => void;
}

// The first part of the link was right, so the server gave the content out. The second part may still be found.
function Sealed({ opened: { content, passphrase }, onText }: SealedProps) {
  const link = useSignal("");
  const words = useSignal(passphrase);
  const failure = useSignal<Failure | undefined>(undefined);
  const open = async (event: Event) => {
    event.preventDefault();
    const read = parseLink(link.value);
    const inner = read.is === "complete" ? read.link.inner : undefined;
    try {
      onText(await decryptWith(inner ?? "", { content, passphrase: words.value }));
    } catch (error) {
      failure.value = describeError(error);
    }
  };
  return (
    <>
      <PageHead title="The secret is here, but this link does not open it">
        The part of the link behind the dot is missing or was changed. The encrypted text is below: keep this
        page open and paste the whole link.
      </PageHead>
      <form class="stack" onSubmit={(event) => void open(event)}>
        <TextField label="The whole link" value={link} isCode />
        <SecretField label="Passphrase, if there is one" value={words} />
        {failure.value && <FailureNote failure={failure.value} />}
        <div class="actions">
          <button class="primary">Decrypt</button>
        </div>
      </form>
      <ContentView text={content} label="The encrypted text" />
    </>
  );
}
