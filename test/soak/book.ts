// What callers know for certain, written down by themselves and compared with what servers answer.

/** A secret whose creation was acknowledged and which nobody has opened yet. */
export interface Unread {
  readonly id: string;
  readonly key: string;
  readonly kind: "text" | "file";
  readonly content: Buffer;
}

/** One that has been opened: nobody may open it again. */
export type Read = Pick<Unread, "id" | "key" | "kind">;

const MOST_READ = 10_000;

export class Book {
  readonly #unread: Unread[] = [];
  readonly #read: Read[] = [];
  /** By kind of call and what it answered. */
  readonly answers = new Map<string, number>();
  /** What should never happen, in words. */
  readonly violations: string[] = [];
  longest = { milliseconds: 0, call: "" };
  written = 0;
  opened = 0;

  add(secret: Unread): void {
    this.written++;
    this.#unread.push(secret);
  }

  /** One that nobody has opened, for this caller alone. */
  takeUnread(): Unread | undefined {
    const at = Math.floor(Math.random() * this.#unread.length);
    const last = this.#unread.pop();
    const taken = this.#unread[at] ?? last;
    if (last && taken !== last) this.#unread[at] = last;
    return taken;
  }

  addRead({ id, key, kind }: Read): void {
    this.opened++;
    this.#read[this.opened % MOST_READ] = { id, key, kind };
  }

  pickRead(): Read | undefined {
    return this.#read[Math.floor(Math.random() * this.#read.length)];
  }

  get unread(): number {
    return this.#unread.length;
  }

  count(call: string, answer: string, milliseconds: number): void {
    const name = `${call} ${answer}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    if (milliseconds > this.longest.milliseconds) this.longest = { milliseconds, call: name };
  }

  violate(what: string): void {
    this.violations.push(what);
    console.log(`  VIOLATION ${what}`);
  }
}
