/** The most hooks of one member. */
export const MAX_HOOKS = 3;

/** The longest address of a hook, in characters. */
export const MAX_HOOK_URL_LENGTH = 2048;

/** The formats in which a hook can be called. */
export const HOOK_FORMS = ["standard", "ntfy", "slack", "teams", "matrix"] as const;

/** The events that a hook can report. */
export const HOOK_EVENTS = [
  ...(["secret.created", "secret.revealed", "secret.revoked", "secret.expired", "secret.locked"] as const),
  ...(["request.created", "request.answered", "request.collected"] as const),
  ...(["request.cancelled", "request.expired"] as const),
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** The events that others cause, or time: a sender who is away did not cause them. */
export const USUAL_HOOK_EVENTS: readonly HookEvent[] = [
  ...(["secret.revealed", "secret.expired", "secret.locked"] as const),
  ...(["request.answered", "request.expired"] as const),
];
