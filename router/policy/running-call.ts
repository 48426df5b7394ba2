// Adapters know the database only by its types, and have other waits of a call besides those for it.
export {
  actingAs,
  arrivedAt,
  endStep,
  inSession,
  isLate,
  LONGEST_WAIT_MS,
  waiting,
  waitWithin,
  waitsUntil,
  withWaits,
} from "../../db/running-call.ts";
