import type { ComponentChildren } from "preact";
import { nameAfter, RESULT_STEMS } from "../../tools/file/derived-name.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { ToolWarning } from "../../wire/tool-warning.ts";
import { formatFailure } from "../api/format-failure.ts";
import { callOptions } from "../api/server.ts";
import { curlToolCommand, type ToolCall } from "../app/curl.ts";
import { words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";
import { makeFile, type MadeFile } from "../files/file-result.tsx";
import { FileTool, type Work } from "../files/file-tool.tsx";
import type { UnfitFile } from "../files/incoming.ts";
import type { ToolMachine } from "../files/action-bar.tsx";
import { workOnEach } from "../work/work-on-each.ts";
import { SecretField } from "../parts/field.tsx";
import { Status } from "../parts/note.tsx";
import { bytesOf } from "../work/read-chunks.ts";
import type { Control } from "../work/run.ts";
import { FirstPage, PageCount } from "./thumbnails.tsx";
import { isLocked, lostPassword, wantsPassword, usePdfFacts, type PdfInspector } from "./pdf-facts.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useDraft } from "../app/paths/history.ts";
import { useJob } from "../parts/job.tsx";

interface PdfResult {
  /** "application/pdf" where it is absent. */
  readonly type?: string;
  readonly warnings: readonly ToolWarning[];
  /** Whether the document opened only with its password. */
  readonly passwordNeeded?: boolean;
}

interface PdfToolProps<Options, Facts> {
  /** Its name in the words, and after "pdf-" in the API. */
  readonly name: "clean" | "compress" | "lock" | "rotate" | "split" | "unlock";
  readonly input: ChosenPdf;
  /** Whether it takes one file only. */
  readonly isSingle?: boolean;
  readonly isReady?: boolean;
  /** Finds chosen files that the work would refuse with the current settings. */
  readonly findMisfits?: (files: readonly File[]) => Promise<readonly UnfitFile[]>;
  readonly options: Options;
  readonly here: (
    args: [file: File, options: Options],
    control: Control,
  ) => Promise<PdfResult & NoInfer<Facts> & { bytes: Bytes }>;
  readonly onServer: (
    input: Options & { file: Bytes },
    call: ReturnType<typeof callOptions>,
  ) => Promise<PdfResult & NoInfer<Facts> & { data: Bytes }>;
  /** Facts to show about a result, by their names. */
  readonly facts: (made: Facts, sizeBytes: number) => MadeFile["facts"];
  /** Shown with the result, also when it is old, in place of its first page. */
  readonly reminder?: ComponentChildren;
  /** Additional parts of the curl command, besides the file and its password. */
  readonly curl?: Partial<ToolCall>;
  /** Its pages; the first page where it is absent. */
  readonly stage?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The page of a tool that makes a file from one PDF. */
export function PdfTool<Options extends object, Facts>(props: PdfToolProps<Options, Facts>) {
  const { name, input, isSingle, options, here, onServer, facts, curl, stage, children, ...tool } = props;
  const t = words().pdf[name];
  const stem = RESULT_STEMS[`pdf-${name}`];
  const { more, password } = input;
  const present = (file: File, bytes: Bytes, made: PdfResult & Facts): MadeFile => {
    const { type = "application/pdf", warnings, passwordNeeded = false } = made;
    // One tool tells more about it, and the result of another has a password of its own.
    const lost = name === "lock" || name === "unlock" ? {} : lostPassword(passwordNeeded);
    const extension = type === "application/zip" ? "zip" : "pdf";
    const named = { name: nameAfter(file.name, { suffix: `-${stem}`, extension }), type };
    return { file: makeFile(bytes, named), facts: { ...facts(made, bytes.length), ...lost }, warnings };
  };
  const workHere: Work = async (file, control) => {
    const made = await here([file, options], control);
    return present(file, made.bytes, made);
  };
  const workOnServer: Work = async (file, control) => {
    const made = await onServer({ file: await bytesOf(file), ...options }, callOptions(control));
    return present(file, made.data, made);
  };
  const onEach = (work: Work, place: ToolMachine) =>
    isSingle ? work : workOnEach(work, { more, place, name: `${stem}.zip`, costOf });
  return (
    <section class="page">
      <PageHead title={words().pages[`pdf-${name}`].title}>{t.lead}</PageHead>
      <FileTool
        {...tool}
        action={t.submit}
        doing={t.busy}
        what={isSingle ? words().files.pdf : words().files.pdfs}
        example={`pdf-${name}`}
        kind="pdf"
        file={input.file}
        {...(!isSingle && { more })}
        job={input.job}
        options={options}
        here={onEach(workHere, "here")}
        onServer={onEach(workOnServer, "server")}
        curl={({ name: fileName }) =>
          curlToolCommand({
            tool: `pdf-${name}`,
            fileName,
            hasPassword: password.value !== "",
            output: `${stem}.pdf`,
            ...curl,
          })
        }
        about={<PageCount pages={input.facts.pages} />}
        preview={({ file }) => !tool.reminder && <FirstPage file={file} password={password.value} isLarge />}
        stage={stage ?? <FirstSheet input={input} />}
        fields={
          <>
            <PdfPassword input={input} />
            {children}
          </>
        }
      />
    </section>
  );
}

/** The first page of the one file that is chosen, blank until it opens. */
function FirstSheet({ input: { file, more, password, facts } }: { input: ChosenPdf }) {
  if (!file.value || more.value.length > 0 || facts.failure || isLocked(facts)) return null;
  return <FirstPage file={file.value} password={password.value} isOff={facts.pages === undefined} isLarge />;
}

/** A document is in memory as bytes, as objects, and once more as it is written. */
const TIMES_ITS_SIZE = 8;
const LEAST_COST = 32 * 2 ** 20;

function costOf({ size }: File): Promise<number> {
  return Promise.resolve(LEAST_COST + size * TIMES_ITS_SIZE);
}

/** Shown for a PDF that needs a password, and says so when it is wrong. */
function PdfPassword({ input: { password, facts, more, job } }: { input: ChosenPdf }) {
  const state = job.state.value;
  const failed = state.is === "failed" ? { failure: state.failure } : {};
  const isAsked = facts.isProtected || wantsPassword(failed) || someWantPassword(state);
  if (!isAsked && password.value === "") return null;
  const hint = more.value.length > 0 ? words().pdf.passwordOfAll : words().pdf.passwordHint;
  const { failure } = facts;
  return (
    <SecretField
      label={words().pdf.password}
      value={password}
      isInvalid={failure?.code === "password_wrong"}
      hint={failure ? <Status isInline>{formatFailure(failure)}</Status> : hint}
    />
  );
}

/** Whether one of several files did not open without it. */
function someWantPassword(state: ChosenPdf["job"]["state"]["value"]): boolean {
  if (state.is !== "done") return false;
  return (state.result.failures ?? []).some(wantsPassword);
}

export type ChosenPdf = ReturnType<typeof usePdfInput>;

/** What the pages of all tools for one PDF have in common. */
export function usePdfInput(look?: PdfInspector) {
  const file = useDraft<File | undefined>("file", undefined);
  // Processed in the same way.
  const more = useDraft<readonly File[]>("more", []);
  const password = useDraft("password", "");
  const before = useRef<readonly File[]>([]);
  useLayoutEffect(() => {
    const files = file.value ? [file.value, ...more.value] : [];
    // The password was for files that are no longer chosen.
    if (before.current.length > 0 && !files.some((each) => before.current.includes(each)))
      password.value = "";
    before.current = files;
  }, [file.value, more.value]);
  const facts = usePdfFacts(file.value, { password: password.value, look });
  return { file, more, password, facts, job: useJob<MadeFile>() };
}
