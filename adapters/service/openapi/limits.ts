import { DEFAULT_LIMITS, type Limits } from "../../../router/limits.ts";
import { lifetimeSchema } from "../../../router/schemas.ts";

const { description: DEFAULT } = lifetimeSchema(DEFAULT_LIMITS);

/** The same document or catalogue with the lifetimes that an instance has; those of the schemas are the defaults. */
export function holdingLimits<Written>(written: Written, limits: Limits): Written {
  const lifetime = lifetimeSchema(limits);
  const replace = (_: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (!("description" in value) || value.description !== DEFAULT) return value;
    const { description, ...bounds } = lifetime;
    if (!("schema" in value)) return { ...value, ...lifetime };
    // A parameter has its description beside its schema.
    return { ...value, description, schema: { ...Object(value.schema), ...bounds } };
  };
  return lifetime.description === DEFAULT && limits.defaultSeconds === DEFAULT_LIMITS.defaultSeconds
    ? written
    : (JSON.parse(JSON.stringify(written, replace)) as Written);
}
