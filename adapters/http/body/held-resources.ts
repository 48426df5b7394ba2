import type { Caller, Context, Services } from "../../../router/context.ts";
import { LIMITS } from "../../../router/limits.ts";
import { countedBy } from "../../../router/policy/count.ts";
import type { RequestBody } from "./request-body.ts";
import type { Reservation } from "../../workers/admission.ts";

// A few fields are not weighed: a caller who wants to log in is not in the way of somebody's large file.
const UNWEIGHED_BYTES = 64 * 1024;

interface Request {
  readonly services: Services;
  readonly body: RequestBody;
  readonly address: Context["address"];
}

/** What one request holds until the last byte of its answer has left: a call among the caller's, and memory. */
export class HeldResources {
  readonly #request: Request;
  #caller: Caller = { tier: "anonymous" };
  #endCall: (() => void) | undefined;
  #memory: Reservation | undefined;
  #weight: number | undefined;

  constructor(request: Request) {
    this.#request = request;
    request.body.onBytes = (bytes) => this.#weigh(bytes);
  }

  /** The caller is who holds it, once that is known. */
  identified(caller: Caller): Caller {
    return (this.#caller = caller);
  }

  /** Starts a call of the caller; the calls of a batch are one. */
  startCall(start: () => () => void): void {
    this.#endCall ??= start();
  }

  /**
   * From here on each byte of the body is weighed so; what has come is weighed at once, and what is announced must
   * have a chance to fit. @throws ApiError overloaded, too_many_concurrent
   */
  weighBody(weight: number): void {
    const { body } = this.#request;
    this.#weight = weight;
    this.#weigh(body.decodedBytes);
    const announced = Math.min(body.declaredBytes ?? 0, LIMITS[this.#caller.tier].totalSize);
    this.#reservation().check(announced * weight);
  }

  /** At least so much; of several the largest counts. */
  reserveMemory(bytes: number): void {
    this.#reservation().reserve(bytes);
  }

  release(): void {
    this.#memory?.release();
    this.#endCall?.();
  }

  #weigh(bytes: number): void {
    if (this.#weight !== undefined) this.reserveMemory(bytes * this.#weight);
    else if (bytes > UNWEIGHED_BYTES) this.reserveMemory(bytes);
  }

  #reservation(): Reservation {
    const { services, address } = this.#request;
    return (this.#memory ??= services.reserveMemory(countedBy({ caller: this.#caller, address }).who));
  }
}
