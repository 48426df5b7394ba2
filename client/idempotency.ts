/** What a call may be given as its `context`, to be sent again without doing anything twice. It is sent alone, not in a batch. */
export interface IdempotencyContext extends Record<string, unknown> {
  /** 22 to 255 visible characters from a random source, such as a UUID. */
  readonly idempotencyKey?: string | undefined;
}

export function hasKey({ idempotencyKey }: IdempotencyContext): boolean {
  return idempotencyKey !== undefined;
}

/** The header of such a call. */
export function keyHeader({ idempotencyKey }: IdempotencyContext): { "idempotency-key"?: string } {
  return idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
}
