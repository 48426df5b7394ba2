import type { HookForm } from "../../db/accounts/hooks.ts";

/** Members' own hooks, on hosts that the operator has allowed. */
export interface Hooks {
  /** As the operator wrote them. */
  readonly hosts: readonly string[];
  /** Whether a hook may have this URL. */
  readonly allows: (url: URL) => boolean;
  /** Calls a hook once; returns why it failed, if it did. */
  readonly test: (
    hook: { readonly form: HookForm; readonly url: string; readonly secret: string | null },
    told: {
      readonly id: string;
      readonly event: {
        readonly type: "hook.created";
        readonly timestamp: string;
        readonly data: { readonly id: string; readonly kind: "hook"; readonly account: string };
      };
    },
  ) => Promise<"hook_address" | "hook_unreachable" | "hook_refused" | undefined>;
}
