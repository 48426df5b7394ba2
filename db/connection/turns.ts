/** A lock that is given to callers in the order in which they came, each of whom waits no longer than it wants. */
export class Turns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  get isTaken(): boolean {
    return this.#isTaken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes the lock. False when that was not possible before `deadline`, on the clock of `performance.now`. */
  async take(deadline: number): Promise<boolean> {
    if (!this.#isTaken) return (this.#isTaken = true);
    return new Promise((resolve) => {
      const accept = () => {
        clearTimeout(late);
        resolve(true);
      };
      const late = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(accept), 1);
        resolve(false);
      }, deadline - performance.now());
      this.#waiting.push(accept);
    });
  }

  /** Gives the lock to the next one. */
  pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }
}
