import type { AnyTRPCRouter } from "@trpc/server";
import type { Adapter } from "../adapter.ts";

type FormatterOptions = Parameters<AnyTRPCRouter["_def"]["_config"]["errorFormatter"]>[0];

/**
 * The router with a formatter of errors before its own, which would write the message of what nobody expected, and any
 * stack while developing.
 *
 * tRPC 11.25 makes an error anew where a promise inside a streamed result fails (http/resolveResponse.ts), so that
 * `onError` could not change what is written.
 */
export function withHiddenErrors({ router, formatError }: Adapter): AnyTRPCRouter {
  const { _config: config } = router._def;
  const errorFormatter = (options: FormatterOptions) => {
    const { error, path, input, shape } = options;
    const { status, message } = formatError(error, { path, input });
    Object.assign(error, { stack: undefined }, status === 500 && { message });
    const { stack: _, ...data } = shape.data;
    return config.errorFormatter({ ...options, shape: { ...shape, message: error.message, data } });
  };
  return { ...router, _def: { ...router._def, _config: { ...config, errorFormatter } } };
}
