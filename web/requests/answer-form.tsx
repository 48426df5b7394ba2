import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { MIN_SECRET_SECONDS } from "../../wire/limits.ts";
import { loadSecretLimits, secretLimits } from "../api/limits.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { words } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { FailureNote, JobView, useJob } from "../parts/job.tsx";
import { MainButton } from "../parts/main-button.tsx";
import { findProblem, SecretContent } from "../secrets/send/secret-content.tsx";
import type { Control } from "../work/run.ts";
import type { AnswerLink } from "../../wire/links.ts";
import { postAnswer, type ReceivedRequest } from "./request.ts";

/** Takes the answer, a text or a file, and sends it sealed. */
export function AnswerForm({
  link,
  request,
  onSent,
  onGone,
}: {
  link: AnswerLink;
  request: ReceivedRequest;
  onSent: () => void;
  /** Somebody was faster, or the request has ended. */
  onGone: () => void;
}) {
  const t = words().asking;
  const text = useSignal("");
  const file = useSignal<File | undefined>(undefined);
  const isMissing = useSignal(false);
  const job = useJob<void>();
  const state = job.state.value;
  useEffect(() => void loadSecretLimits().catch(() => undefined), []);
  useUnsaved("text", state.is !== "done" && (text.value !== "" || file.value !== undefined));
  const send = async (control: Control) => {
    await postAnswer(link, file.value ? await storeFile(file.value, { request, control }) : text.value);
    onSent();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    isMissing.value = text.value === "" && !file.value;
    if (isMissing.value || findProblem(text.value, file.value)) return;
    if (state.is !== "running") void job.start(send);
  };
  const isGone = state.is === "failed" && state.failure.code === "request_closed";
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone]);
  return (
    <form class="share" onSubmit={submit}>
      <SecretContent text={text} file={file} label={t.answer} isMissing={isMissing.value} />
      {state.is === "failed" && <FailureNote failure={state.failure} />}
      {state.is === "running" && file.value && <JobView job={job} doing={words().share.sending} />}
      <div class="actions">
        <MainButton isRunning={state.is === "running"}>
          <Icon name="lock" />
          {t.send}
        </MainButton>
      </div>
    </form>
  );
}

const AFTER_THE_LAST_MINUTE = 3600;

/** A file is a secret of its own, whose link is the answer. Whoever collects late still has an hour for it. */
async function storeFile(
  file: File,
  { request, control }: { request: ReceivedRequest; control: Control },
): Promise<string> {
  const { sendSealedFile } = await import("../secrets/send/send-file.ts");
  const left = Math.ceil((Date.parse(request.expiry) - Date.now()) / 1000) + AFTER_THE_LAST_MINUTE;
  const expires = Math.min(secretLimits.value.seconds, Math.max(MIN_SECRET_SECONDS, left));
  return (await sendSealedFile(file, { expires, passphrase: "", control })).url;
}
