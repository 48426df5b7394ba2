import type { ComponentChildren } from "preact";
import type { Bytes } from "../../wire/bytes.ts";
import { bytesOf } from "../api/server.ts";
import { words } from "../app/language/words.ts";
import { PageHead } from "../app/shell.tsx";
import type { MadeFile } from "../files/file-result.tsx";
import { FileTool } from "../files/file-tool.tsx";
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
  const { input, title, lead, here, onServer, present, curl, children, ...tool } = props;
  return (
    <section class="page">
      <PageHead title={title}>{lead}</PageHead>
      <FileTool
        {...tool}
        what={words().files.pdf}
        kind="pdf"
        file={input.file}
        job={input.job}
        here={async (file, control) => present(file, await here(file, control))}
        onServer={async (file, control) => present(file, await onServer(await bytesOf(file), control))}
        curl={({ name }) => curl(name)}
      >
        <PdfPassword input={input} />
        {children}
      </FileTool>
    </section>
  );
}

/** A server's answer in the shape that a tool returns here. */
export function withData<Answer extends { readonly data: Bytes }>(answer: Answer): Answer & { bytes: Bytes } {
  return { ...answer, bytes: answer.data };
}
