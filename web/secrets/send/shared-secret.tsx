import "../../style/results.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { instance } from "../../app/instance.ts";
import { formatBytes, formatMoment } from "../../app/language/format.ts";
import { PageHead } from "../../app/shell.tsx";
import { confirmLeave, useUnsaved } from "../../app/unsaved.tsx";
import { fill, words } from "../../app/language/words.ts";
import { CurlCommand } from "../../parts/copy.tsx";
import { CopyableSecret } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { openingLine } from "../status.ts";
import { LinkPanel } from "./link-panel.tsx";
import { Ending, SECRET_ENDS } from "../../parts/ending.tsx";
import { StatusPanel, useSecretState } from "../secret-status.tsx";
import type { CreatedSecret } from "./share.ts";

/** The new link, and the state of its secret. */
export function SharedSecret({ shared, onAnother }: { shared: CreatedSecret; onAnother: () => void }) {
  const state = useSecretState(shared);
  const t = words().shared;
  const isCopied = useSignal(false);
  const isActive = state.value.status === "active";
  useUnsaved("link", isActive && !isCopied.value);
  const shareAnother = async () => {
    if (await confirmLeave()) onAnother();
  };
  const another = (
    <button type="button" onClick={() => void shareAnother()}>
      <Icon name="share" />
      {t.another}
    </button>
  );
  const { status, closed } = state.value;
  useTabTitle(isActive ? words().status.active : t.ends[status === "active" ? "revealed" : status].title);
  if (status !== "active") {
    return (
      <section class="page narrow">
        <Ending kind={SECRET_ENDS[status]} {...t.ends[status]} closed={closed}>
          {another}
        </Ending>
        {shared.files.length > 0 && <FileLines files={shared.files} />}
      </section>
    );
  }
  return (
    <section class="page narrow">
      <PageHead title={t.title} isResult>
        {t.lead}
      </PageHead>
      <LinkPanel
        url={shared.url}
        label={t.link}
        copy={t.copy}
        sentence={fill(t.message, { time: formatMoment(shared.expiry) })}
        hasQr
        onCopied={() => (isCopied.value = true)}
      >
        {shared.files.length > 0 && <FileLines files={shared.files} />}
      </LinkPanel>
      {shared.passphrase && <PassphrasePanel passphrase={shared.passphrase} />}
      <StatusPanel shared={shared} state={state} />
      <OtherSide shared={shared} />
      {shared.sealing === "server" && <CurlCommand line={revealLine(shared)}>{t.command}</CurlCommand>}
      <div class="actions">{another}</div>
    </section>
  );
}

/** Shows the secret's state in the title of the browser's tab, as long as it is on the page. */
function useTabTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${instance.value.name}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}

/** The names of what was sent. */
export function FileLines({ files }: { files: readonly File[] }) {
  return (
    <ul class="file-lines">
      {files.map((file) => (
        <li key={file}>
          <Icon name="file" /> <strong>{file.name}</strong> <span class="hint">{formatBytes(file.size)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The passphrase, which should take another way than the link. */
export function PassphrasePanel({ passphrase }: { passphrase: string }) {
  return (
    <section class="panel" aria-labelledby="passphrase">
      <h2 id="passphrase">{words().shared.passphrase}</h2>
      <CopyableSecret value={passphrase} />
      <p class="hint">{words().shared.passphraseHint}</p>
    </section>
  );
}

function OtherSide({ shared: { passphrase } }: { shared: CreatedSecret }) {
  const { shared: t, reveal } = words();
  return (
    <details>
      <summary>{t.preview}</summary>
      <div class="preview">
        <p>
          <strong>{reveal.title}</strong>
        </p>
        <p>{reveal.lead}</p>
        {passphrase && <p>{t.previewPassphrase}</p>}
        <p class="fake-button">{reveal.submit}</p>
        <p class="hint">{t.previewHint}</p>
      </div>
    </details>
  );
}

function revealLine({ id, key, passphrase, files }: CreatedSecret): string {
  return openingLine(
    { id, key },
    { hasPassphrase: passphrase !== "", kind: files.length > 0 ? "file" : "text" },
  );
}
