import type { OperationFacts } from "./operations.ts";
import type { Step } from "./scenario.ts";

/** A generator of clients, and how what it generates is called. */
export interface Generator {
  readonly name: string;
  /** With their versions; fetched by name. */
  readonly packages: readonly string[];
  /** Files that it needs beside the documents: `openapi.json`, and with one kind of body `raw.json` and `forms.json`. */
  readonly files: Readonly<Record<string, string>>;
  /** Programs that make the client, as a script of Node. */
  readonly commands: readonly (readonly string[])[];
  /** The beginning of the file with the calls. */
  readonly imports: string;
  /** A call whose result `result` is what the server answered. */
  readonly call: (step: Step, operation: OperationFacts, result: string) => string;
  /** The same with a form as the body. */
  readonly callForm?: (step: Step, operation: OperationFacts, result: string) => string | false;
  /** Whose results its clients cannot read: these are called, and nothing more. */
  readonly misreads?: (operation: OperationFacts) => boolean;
  /** A call that fails. */
  readonly callFailing?: (step: Step, operation: OperationFacts) => string | false;
}

export const camelCase = (id: string) => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
export const list = (parts: readonly (string | undefined | false)[], separator = ", ") =>
  parts.filter((part) => part).join(separator);
export const entry = (name: string, text: string | undefined) => text && `${name}: ${text}`;

/** A program in TypeScript that makes every call with what a generator made. Nothing in it is cast. */
export function writeCalls(
  generator: Generator,
  { steps, operations }: { steps: readonly Step[]; operations: ReadonlyMap<string, OperationFacts> },
): string {
  const { imports } = generator;
  const lines = steps.flatMap((step, i) => {
    const operation = operations.get(step.call);
    if (!operation) throw new Error(`There is no operation ${step.call}`);
    return writeStep(generator, { step, operation, result: step.as ?? `result${i}` });
  });
  return `declare const files: { pdf: File; png: File; base64: string; gate: string; answer: string; hook: string };
declare const base: string;
declare const name: string;
${imports}
export async function calls(): Promise<string[]> {
  const done: string[] = [];
${lines.join("\n")}
  return done;
}
`;
}

function writeStep(
  generator: Generator,
  { step, operation, result }: { step: Step; operation: OperationFacts; result: string },
): string[] {
  if (step.fails) {
    const failing = generator.callFailing?.(step, operation);
    return failing ? [`{ ${failing} }`] : [];
  }
  const checked =
    step.check && !generator.misreads?.(operation)
      ? [`if (!(${step.check})) throw new Error(${JSON.stringify(`${step.call}: ${step.check}`)});`]
      : [];
  const called = [generator.call(step, operation, result), ...checked, `done.push("${step.call}");`];
  const form = step.form && generator.callForm?.(step, operation, result);
  // In a block of its own, where the result has the same name.
  return form ? [...called, "{", form, ...checked, "}"] : called;
}
