// Adapters know the database by its types only, and have waits of a call beside those for it.
export { endStep, waiting, waitsUntil, withWaits } from "../../db/waits.ts";
