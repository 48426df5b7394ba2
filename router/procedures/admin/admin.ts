import { router } from "../../trpc.ts";
import { counters } from "./counters.ts";
import { members } from "./members.ts";

/** What administrators of an instance do, on the page "Members". None of it shows what anybody has handed over. */
export const admin = router({ ...members, counters });
