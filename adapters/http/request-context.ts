import type { Caller, Context, Credential, Services } from "../../router/context.ts";
import { identifyCaller } from "../../router/policy/identify.ts";
import { readAddress, rateKey, zeroLastPart, type Trust } from "./address.ts";
import { createSemaphore, createReservation } from "../workers/admission.ts";
import { RequestBody } from "./request-body.ts";

/** What every request needs of the server. */
export interface ServerContext {
  readonly services: Services;
  readonly trust: Trust;
}

/** One request on its way in and its answer on the way out. */
export interface RequestContext {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly body: RequestBody;
  readonly trpcContext: Context;
  /** Told to the caller beside the result: parameters that nobody knows. */
  readonly warnings: string[];
  /** Lets go of what the call held, once its answer has left. */
  readonly release: () => void;
}

interface Opening extends ServerContext {
  /** As the routes read it: two readings of one path would let a call pass under another's name. */
  readonly url: URL;
}

/** Opens a context: nothing is read, looked up or limited yet. */
export function createRequestContext(request: Request, { services, trust, url }: Opening): RequestContext {
  const requestId = crypto.randomUUID();
  const body = new RequestBody(request);
  const address = addressOf(request, trust);
  const credential = credentialOf(request);
  const memory = createReservation(services.reserveMemory);
  let caller: Promise<Caller> | undefined;
  const trpcContext: Context = {
    services,
    requestId,
    credential,
    identify: () => (caller ??= identifyCaller(credential, { services, address: address.rate })),
    address,
    isCounted: request.method !== "HEAD",
    declaredBytes: body.declaredBytes,
    responseHeaders: new Headers(),
    jsonTexts: [],
    inSequence: createSemaphore(1),
    reserveMemory: memory.reserve,
  };
  return { request, url, requestId, body, trpcContext, warnings: [], release: memory.release };
}

function credentialOf({ headers }: Request): Credential {
  return {
    authorization: headers.get("authorization"),
    cookie: headers.get("cookie"),
    fetchSite: headers.get("sec-fetch-site"),
    origin: headers.get("origin"),
  };
}

function addressOf(request: Request, trust: Trust): Context["address"] {
  // srvx puts the socket's address on the request; a request made in a test may have none.
  const socket = (request as { ip?: string }).ip ?? "127.0.0.1";
  const address = readAddress({ socket, forwardedFor: request.headers.get("x-forwarded-for"), trust });
  return { rate: rateKey(address), usage: zeroLastPart(address) };
}
