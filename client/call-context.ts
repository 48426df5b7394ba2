/** How far a body has come; `total` is missing where its length was not announced. */
export interface Progress {
  readonly loaded: number;
  readonly total?: number;
}

/** What a call may be given as its `context`, to hear how far it is. Such a call is sent alone, not in a batch. */
export interface ProgressContext extends Record<string, unknown> {
  readonly onUploadProgress?: ((progress: Progress) => void) | undefined;
  readonly onDownloadProgress?: ((progress: Progress) => void) | undefined;
}

export function wantsProgress(context: ProgressContext): boolean {
  return progressOf(context).upload !== undefined || progressOf(context).download !== undefined;
}

export interface Listeners {
  readonly upload: ProgressContext["onUploadProgress"];
  readonly download: ProgressContext["onDownloadProgress"];
}

export function progressOf({ onUploadProgress, onDownloadProgress }: ProgressContext): Listeners {
  return { upload: onUploadProgress, download: onDownloadProgress };
}

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
