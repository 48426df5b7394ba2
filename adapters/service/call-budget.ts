import type { Caller, CallBudget, CallerAddress } from "../../router/context.ts";
import { ApiError, serverFull } from "../../router/errors/errors.ts";
import { DEFAULT_LIMITS, MAX_STREAMS, SITE_FACTOR, type Limits } from "../../router/limits.ts";
import { addressOf, countedBy, type RateSubject } from "../../router/policy/count.ts";

// Memory is released when a job ends, and nearly all end within a few seconds.
const RETRY_SECONDS = 5;

/** The part of the memory that one caller may hold, besides a first call of any size. */
const CALLERS_PART = 1 / 4;
/** Calls up to this part are admitted beside a full budget, until together they hold SMALL_TOGETHER of it. */
const SMALL_PART = 1 / 128;
const SMALL_TOGETHER = 1 / 8;

// A few fields are not weighed: a caller who wants to log in does not have to wait for somebody's large file.
const UNWEIGHED_BYTES = 64 * 1024;

/** The key that all event streams count under. */
const STREAMS = "streams";

/** Whose budget it is, and the body whose bytes are weighed as they arrive. */
interface Call {
  readonly address: CallerAddress;
  readonly body: {
    readonly declaredBytes: number | undefined;
    readonly decodedBytes: number;
    onBytes: (bytes: number) => void;
  };
}

/**
 * Divides the server's memory and its callers' places among requests as they grow. One larger than the whole memory is
 * admitted when it is alone. The first of a caller's requests that holds anything may grow as far as the memory goes,
 * the others to a quarter of it together with the first. Small requests are admitted beside a large one that fills it.
 */
export class Budgets {
  readonly limits: Limits;
  readonly #memoryBytes: number;
  readonly #memory = new Map<CallBudget, { readonly owner: string; readonly bytes: number }>();
  readonly #calls = new Map<string, number>();
  #claimedBytes = 0;

  constructor(memoryBytes: number, limits: Limits = DEFAULT_LIMITS) {
    this.limits = limits;
    this.#memoryBytes = memoryBytes;
  }

  /** The memory that all requests hold. */
  get claimedBytes(): number {
    return this.#claimedBytes;
  }

  /** The number of open event streams. */
  get streams(): number {
    return this.#calls.get(STREAMS) ?? 0;
  }

  /** A new budget for one request, without any claims. */
  open(call: Call): RequestBudget {
    return new RequestBudget(this, call);
  }

  memoryOf(budget: CallBudget): number {
    return this.#memory.get(budget)?.bytes ?? 0;
  }

  /** In whole bytes: the weights of some tools are fractions, whose sums would leave a remainder that nobody holds. */
  setMemory(budget: CallBudget, owner: string, memory: number): void {
    const bytes = Math.ceil(memory);
    this.#claimedBytes += bytes - this.memoryOf(budget);
    if (bytes > 0) this.#memory.set(budget, { owner, bytes });
    else this.#memory.delete(budget);
  }

  /** @throws ApiError overloaded, too_many_concurrent; claims nothing */
  checkMemory(budget: CallBudget, owner: string, bytes: number): void {
    const others = this.#claimedBytes - this.memoryOf(budget);
    const small = this.#memoryBytes * SMALL_PART;
    const isSmall =
      bytes <= small && this.#smallOthers(small, budget) + bytes <= this.#memoryBytes * SMALL_TOGETHER;
    if (others > 0 && others + bytes > this.#memoryBytes && !isSmall) throw serverFull(RETRY_SECONDS);
    const own = this.#ownOthers(owner, budget);
    const most = this.#memoryBytes * CALLERS_PART;
    if (own === 0 || own + bytes <= most) return;
    const error = "Your calls hold as much memory as one caller may; wait for one to end";
    const about = { limit: "memory", value: Math.floor(most), unit: "bytes", window: 0, remaining: 0 };
    throw new ApiError("too_many_concurrent", error, { ...about, retryAfter: RETRY_SECONDS });
  }

  /** Counts a call under each key, or under none where one is at its maximum. */
  claimPlaces(keys: Readonly<Record<string, number>>): boolean {
    const isFull = Object.entries(keys).some(([key, limit]) => (this.#calls.get(key) ?? 0) >= limit);
    if (isFull) return false;
    for (const key of Object.keys(keys)) this.#calls.set(key, (this.#calls.get(key) ?? 0) + 1);
    return true;
  }

  releasePlaces(keys: readonly string[]): void {
    for (const key of keys) {
      const left = (this.#calls.get(key) ?? 0) - 1;
      if (left > 0) this.#calls.set(key, left);
      else this.#calls.delete(key);
    }
  }

  /** What the caller's other requests hold; 0 for the first one that holds memory, which counts as if it were alone. */
  #ownOthers(owner: string, budget: CallBudget): number {
    const own = [...this.#memory].filter(([, each]) => each.owner === owner);
    const [first] = own;
    if (!first || first[0] === budget) return 0;
    return own.reduce((sum, [, { bytes }]) => sum + bytes, -this.memoryOf(budget));
  }

  /** What those other requests hold together that hold at most `small` bytes each. */
  #smallOthers(small: number, budget: CallBudget): number {
    return [...this.#memory].reduce(
      (sum, [other, { bytes }]) => sum + (other !== budget && bytes <= small ? bytes : 0),
      0,
    );
  }
}

/** What a request holds until the last byte of its answer has left; shared by all calls of a batch. */
export class RequestBudget implements CallBudget {
  readonly #budgets: Budgets;
  readonly #call: Call;
  #caller: Caller = { tier: "anonymous" };
  /** The rate key of the caller at the first claim, for whom all of its memory counts. */
  #memoryOwner: string | undefined;
  #places: readonly string[] | undefined;
  #weight: number | undefined;
  #isOver = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(budgets: Budgets, call: Call) {
    this.#budgets = budgets;
    this.#call = call;
    call.body.onBytes = (bytes) => this.#weigh(bytes);
  }

  /** From now on its claims count for this caller. */
  identified(caller: Caller): Caller {
    return (this.#caller = caller);
  }

  claimPlace(): void {
    const { tier } = this.#caller;
    const value = this.#budgets.limits[tier].concurrentCalls;
    const by = countedBy({ caller: this.#caller, address: this.#call.address });
    if (this.#claim(placesOf(by, value))) return;
    const error = `At most ${value} tool calls and downloads at once; wait for one to end`;
    const about = { limit: "concurrentCalls", value, unit: "calls", window: 0, remaining: 0 };
    throw new ApiError("too_many_concurrent", error, { ...about, retryAfter: 1, tier });
  }

  claimStream(): boolean {
    const by = addressOf(this.#call.address, `${STREAMS} of `);
    return this.#claim({ ...placesOf(by, MAX_STREAMS.address), [STREAMS]: MAX_STREAMS.instance });
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  claimBody(weight: number): void {
    const { body } = this.#call;
    this.#weight = weight;
    this.#weigh(body.decodedBytes);
    const announced = Math.min(body.declaredBytes ?? 0, this.#budgets.limits[this.#caller.tier].totalSize);
    this.#budgets.checkMemory(this, this.#owner(), announced * weight);
  }

  claimMemory(bytes: number): void {
    // A request that has ended would never release it.
    if (this.#isOver || bytes <= this.#budgets.memoryOf(this)) return;
    const owner = this.#owner();
    try {
      this.#budgets.checkMemory(this, owner, bytes);
    } catch (error) {
      this.#budgets.setMemory(this, owner, 0);
      throw error;
    }
    this.#budgets.setMemory(this, owner, bytes);
  }

  release(): void {
    if (this.#memoryOwner !== undefined) this.#budgets.setMemory(this, this.#memoryOwner, 0);
    if (this.#places && !this.#isOver) this.#budgets.releasePlaces(this.#places);
    this.#isOver = true;
  }

  #claim(keys: Readonly<Record<string, number>>): boolean {
    if (this.#places || this.#isOver) return true;
    if (!this.#budgets.claimPlaces(keys)) return false;
    this.#places = Object.keys(keys);
    return true;
  }

  #weigh(bytes: number): void {
    if (this.#weight !== undefined) this.claimMemory(bytes * this.#weight);
    else if (bytes > UNWEIGHED_BYTES) this.claimMemory(bytes);
  }

  #owner(): string {
    return (this.#memoryOwner ??= countedBy({ caller: this.#caller, address: this.#call.address }).who);
  }
}

function placesOf({ who, site }: RateSubject, limit: number): Record<string, number> {
  return { [who]: limit, ...(site !== undefined && { [site]: SITE_FACTOR * limit }) };
}
