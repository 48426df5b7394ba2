/** The server is full, whoever asks: a 503, where a 429 would mean the caller's own quota. */
export class Overloaded extends Error {
  /** Seconds after which another try is sensible. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super("The server is working on as much as it can; try again shortly");
    this.name = "Overloaded";
    this.retryAfter = retryAfter;
  }
}
