/** How much of a body was sent or received; `total` is missing where its length is unknown. */
export interface Progress {
  readonly loaded: number;
  readonly total?: number;
}

/** The `context` of a call that reports its progress. Such a call is sent alone, not in a batch. */
export interface ProgressContext extends Record<string, unknown> {
  readonly onUploadProgress?: ((progress: Progress) => void) | undefined;
  readonly onDownloadProgress?: ((progress: Progress) => void) | undefined;
}

/** The `context` of a call that can be repeated without doing anything twice. It is sent alone, not in a batch. */
export interface IdempotencyContext extends Record<string, unknown> {
  /** 22 to 255 visible characters from a random source, such as a UUID. */
  readonly idempotencyKey?: string | undefined;
}
