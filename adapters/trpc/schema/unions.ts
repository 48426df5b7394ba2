// Which arm of a union a value was sent for: each of them reads it in its own way, and its schema is asked.
import { safeParse, type $ZodType } from "zod/v4/core";
import { CallError } from "../../../wire/call-error.ts";
import { ANY, type Arm, type Shape } from "./shape.ts";

/** How many values may still be tried. */
interface Budget {
  readonly left: number;
}

/** What the first arm makes of a value that takes it. */
export function readUnion(arms: readonly Arm[], read: (shape: Shape) => unknown, budget: Budget): unknown {
  let refusal: unknown;
  for (const { shape, schema } of arms) {
    try {
      const value = read(shape);
      if (fits(schema, value)) return value;
    } catch (error) {
      if (!(error instanceof CallError) || budget.left <= 0) throw error;
      refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
  // What fits no arm is refused by the schema, which gets it as it came.
  return read(ANY);
}

/** What an arm makes of values that it takes, or the arm that finds the least to refuse; `settle` ends a reading. */
export function bestOf<Values>(
  arms: readonly Arm[],
  read: (arm: Arm) => Values,
  { budget, settle }: { readonly budget: Budget; readonly settle: (values: Values) => unknown },
): Values {
  let best: { values: Values; faults: number } | undefined;
  let refusal: unknown;
  for (const arm of arms) {
    try {
      const values = read(arm);
      const faults = faultsOf(arm.schema, settle(values));
      if (faults === 0) return values;
      if (!best || faults < best.faults) best = { values, faults };
    } catch (error) {
      if (!(error instanceof CallError) || budget.left <= 0) throw error;
      refusal = error;
    }
  }
  if (!best) throw refusal;
  return best.values;
}

/** Whether a schema takes a value. */
export function fits(schema: $ZodType, value: unknown): boolean {
  return faultsOf(schema, value) === 0;
}

function faultsOf(schema: $ZodType, value: unknown): number {
  try {
    return safeParse(schema, value).error?.issues.length ?? 0;
  } catch {
    // It can only be asked with a wait; it is, when the procedure is called.
    return 0;
  }
}
