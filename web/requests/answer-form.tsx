import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { LATE_COLLECTOR_SECONDS, nearestLifetime } from "../../wire/limits.ts";
import { loadSecretLimits, secretLimits } from "../api/limits.ts";
import { showProblem } from "../app/focus.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { words } from "../app/language/words.ts";
import { FailureNote, JobView, useJob } from "../parts/job.tsx";
import { MainButton } from "../parts/buttons.tsx";
import { findProblem, isEmpty, type Content } from "../secrets/send/content.ts";
import { SecretContent } from "../secrets/send/secret-content.tsx";
import type { Control } from "../work/run.ts";
import type { AnswerLink } from "../../wire/links/links.ts";
import { postAnswer, sealForAsker, type ReceivedRequest } from "./request.ts";

/** Takes the answer, a text or a file, and sends it encrypted. */
export function AnswerForm({
  link,
  request,
  onSent,
  onGone,
}: {
  link: AnswerLink;
  request: ReceivedRequest;
  onSent: () => void;
  /** Another answer was faster, or the request has ended. */
  onGone: (typed: string) => void;
}) {
  const t = words().asking;
  const text = useSignal("");
  const files = useSignal<readonly File[]>([]);
  const isMissing = useSignal(false);
  const job = useJob<void>();
  const state = job.state.value;
  useEffect(() => void loadSecretLimits().catch(() => undefined), []);
  const content = { text: text.value, files: files.value };
  useUnsaved("text", state.is !== "done" && !isEmpty(content));
  const prepared = useRef<{ readonly of: Content; readonly sealed: string } | undefined>(undefined);
  const send = async (control: Control) => {
    // Encrypted again, an answer that has arrived would be refused as a different one.
    if (!isSame(prepared.current?.of, content)) {
      const hasFiles = content.files.length > 0;
      const answer = hasFiles ? await storeFiles(content, request, control) : content.text;
      prepared.current = { of: content, sealed: await sealForAsker(answer, link) };
    }
    if (prepared.current) await postAnswer(link, prepared.current.sealed);
    onSent();
  };
  const submit = () => {
    isMissing.value = isEmpty(content);
    if (isMissing.value) return document.getElementById("secret")?.focus();
    if (findProblem(content)) return showProblem();
    if (state.is !== "running") void job.start(send);
  };
  const isGone = state.is === "failed" && state.failure.code === "request_closed";
  useEffect(() => {
    if (isGone) onGone(text.value);
  }, [isGone]);
  return (
    <form class="share" onSubmit={submit}>
      <SecretContent
        text={text}
        files={files}
        label={t.answer}
        isMissing={isMissing.value}
        isBusy={state.is === "running"}
        action={
          <MainButton isRunning={state.is === "running"} isSeal>
            <span class="word">{t.send}</span>
          </MainButton>
        }
      />
      {state.is === "failed" && <FailureNote failure={state.failure} />}
      {state.is === "running" && files.value.length > 0 && (
        <JobView job={job} doing={words().share.sending} />
      )}
    </form>
  );
}

function isSame(a: Content | undefined, b: Content): boolean {
  return a?.text === b.text && a.files === b.files;
}

/**
 * Files are stored as a secret, whose link is the answer. It lasts an hour longer than the request, for a late
 * collector.
 */
async function storeFiles(content: Content, request: ReceivedRequest, control: Control): Promise<string> {
  const { sendSealedFiles } = await import("../secrets/send/send-files.ts");
  const wanted = request.secondsLeft + LATE_COLLECTOR_SECONDS;
  const expires = nearestLifetime(wanted, secretLimits.value.lifetimes);
  return (await sendSealedFiles(content, { expires, passphrase: "", control })).url;
}
