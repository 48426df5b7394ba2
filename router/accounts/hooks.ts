import type { HookForm } from "../../db/accounts/hooks.ts";

/** Members' own hooks, where the operator has named hosts for them. */
export interface Hooks {
  /** As the operator wrote them. */
  readonly hosts: readonly string[];
  /** Whether a hook may be there. */
  readonly allows: (url: URL) => boolean;
  /** Calls a hook once; why it did not take that, if it did not. */
  readonly test: (
    hook: { readonly form: HookForm; readonly url: string; readonly secret: string | null },
    told: { readonly id: string; readonly event: HookTest },
  ) => Promise<"hook_address" | "hook_unreachable" | "hook_refused" | undefined>;
}

/** The event that tells a new hook of itself. */
interface HookTest {
  readonly type: "hook.created";
  readonly timestamp: string;
  readonly data: { readonly id: string; readonly kind: "hook"; readonly account: string };
}
