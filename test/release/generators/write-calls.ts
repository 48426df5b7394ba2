import type { Generator } from "./generators.ts";
import type { OperationFacts } from "./operations.ts";
import type { Step } from "./scenario.ts";

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
  return `declare const files: { pdf: Blob; png: Blob; base64: string; gate: string; answer: string; hook: string };
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
  const checked = step.check
    ? [`if (!(${step.check})) throw new Error(${JSON.stringify(`${step.call}: ${step.check}`)});`]
    : [];
  const called = [generator.call(step, operation, result), ...checked, `done.push("${step.call}");`];
  const form = step.form && generator.callForm?.(step, operation, result);
  // In a block of its own, where the result has the same name.
  return form ? [...called, "{", form, ...checked, "}"] : called;
}
