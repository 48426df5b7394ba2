/** Hooks of one member. */
export const MAX_HOOKS = 3;

/** In whose words a hook is told. */
export const HOOK_FORMS = ["standard", "ntfy", "slack", "teams", "matrix"] as const;

/** Of what a hook can tell. */
export const HOOK_EVENTS = [
  ...(["secret.created", "secret.revealed", "secret.revoked", "secret.expired", "secret.locked"] as const),
  ...(["request.created", "request.answered", "request.collected"] as const),
  ...(["request.cancelled", "request.expired"] as const),
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What others do, or nobody in time: somebody who is away did not do it. */
export const USUAL_HOOK_EVENTS: readonly HookEvent[] = [
  ...(["secret.revealed", "secret.expired", "secret.locked"] as const),
  ...(["request.answered", "request.expired"] as const),
];
