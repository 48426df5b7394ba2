/** The data of a stream without its filters. */
export interface Decoded {
  readonly bytes: Uint8Array;
  /** False if the data broke off or was wrong somewhere, so that other programs may read more or less of it. */
  readonly isComplete: boolean;
}
