import type { ComponentChildren } from "preact";
import type { Bytes } from "../../wire/bytes.ts";
import { bytesOf } from "../api/server.ts";
import { words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";
import type { MadeFile } from "../files/file-result.tsx";
import { FileTool, type Work } from "../files/file-tool.tsx";
import type { Place } from "../files/place.tsx";
import { workOnEach } from "../files/work-on-each.ts";
import type { Control } from "../work/run.ts";
import type { ChosenPdf } from "./pdf-input.ts";
import { PdfPassword } from "./pdf-password.tsx";

interface PdfToolProps<Result> {
  readonly input: ChosenPdf;
  readonly title: string;
  readonly lead: string;
  readonly action: string;
  readonly doing: string;
  readonly isReady?: boolean;
  /** The name of the ZIP with the results of several files, for a tool that takes several. */
  readonly zip?: string;
  readonly options: object;
  readonly here: (file: File, control: Control) => Promise<Result>;
  readonly onServer: (file: Bytes, control: Control) => Promise<Result>;
  readonly present: (file: File, result: Result) => MadeFile;
  /** Shown with the result. */
  readonly preview?: () => ComponentChildren;
  readonly curl: (fileName: string) => string;
  readonly children?: ComponentChildren;
}

/** The page of a tool that makes a file from one PDF. */
export function PdfTool<Result>(props: PdfToolProps<Result>) {
  const { input, title, lead, here, onServer, present, curl, zip, children, ...tool } = props;
  const { more } = input;
  const workHere: Work = async (file, control) => present(file, await here(file, control));
  const workOnServer: Work = async (file, control) =>
    present(file, await onServer(await bytesOf(file), control));
  const onEach = (work: Work, place: Place) =>
    zip === undefined ? work : workOnEach(work, { more, place, name: zip, costOf });
  return (
    <section class="page">
      <PageHead title={title}>{lead}</PageHead>
      <FileTool
        {...tool}
        what={zip === undefined ? words().files.pdf : words().files.pdfs}
        kind="pdf"
        file={input.file}
        {...(zip !== undefined && { more })}
        job={input.job}
        here={onEach(workHere, "here")}
        onServer={onEach(workOnServer, "server")}
        curl={({ name }) => curl(name)}
      >
        <PdfPassword input={input} />
        {children}
      </FileTool>
    </section>
  );
}

/** A document is there in bytes, as objects, and once more as it is written. */
const TIMES_ITS_SIZE = 8;
const LEAST_COST = 32 * 2 ** 20;

function costOf({ size }: File): Promise<number> {
  return Promise.resolve(LEAST_COST + size * TIMES_ITS_SIZE);
}

/** A server's answer in the shape that a tool returns here. */
export function withData<Answer extends { readonly data: Bytes }>(answer: Answer): Answer & { bytes: Bytes } {
  return { ...answer, bytes: answer.data };
}
