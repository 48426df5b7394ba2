// Adapters know the database by its types only, and have waits of a call beside those for it.
export {
  actingAs,
  arrivedAt,
  endStep,
  isLate,
  LONGEST_WAIT_MS,
  waiting,
  waitingWithin,
  waitsUntil,
  withWaits,
} from "../../db/running-call.ts";
