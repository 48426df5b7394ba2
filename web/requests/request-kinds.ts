import type { RequestInfo } from "./request.ts";

/** How the state of a request is coloured. */
export const REQUEST_KINDS = {
  open: "",
  answered: "good",
  collected: "",
  cancelled: "bad",
  expired: "warn",
} as const satisfies Record<RequestInfo["status"], string>;
