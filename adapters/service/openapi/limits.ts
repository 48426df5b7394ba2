import { isDeepStrictEqual } from "node:util";
import { DEFAULT_LIMITS, type Limits } from "../../../router/limits.ts";
import type { Parameter } from "../../trpc/schema/input.ts";
import { lifetimeSchema } from "../../../router/schemas.ts";

const DEFAULT = lifetimeSchema(DEFAULT_LIMITS);

/** The same document or catalogue with the lifetimes that an instance has; those of the schemas are the defaults. */
export function holdingLimits<Written>(written: Written, limits: Limits): Written {
  const lifetime = lifetimeSchema(limits);
  const replace = (_: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (!("description" in value) || value.description !== DEFAULT.description) return value;
    const { description, ...bounds } = lifetime;
    if (!("schema" in value)) return { ...value, ...lifetime };
    // A parameter has its description beside its schema.
    return { ...value, description, schema: { ...Object(value.schema), ...bounds } };
  };
  return isDeepStrictEqual(lifetime, DEFAULT)
    ? written
    : (JSON.parse(JSON.stringify(written, replace)) as Written);
}

/** The same parameter, of which an error then says what the instance takes. */
export function holdingParameter({ schema, ...facts }: Parameter, limits: Limits): Parameter {
  return { schema, ...holdingLimits(facts, limits) };
}
