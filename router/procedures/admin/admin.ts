import { router, adminProcedure } from "../../trpc.ts";
import { members } from "./members.ts";
import { z } from "zod";
import { countInstance } from "../../../db/instance-counts.ts";
import { SESSION_IDLE_SECONDS } from "../../limits.ts";
import { adminMeta } from "../../meta.ts";
import { waiting } from "../../policy/running-call.ts";
import { noInput } from "../../schemas.ts";
import { EXAMPLE } from "../examples.ts";

const HOUR_SECONDS = 3600;
const HOURS = 24;

const count = z.int().min(0);

/** Counts for administrators. */
const counters = adminProcedure
  .meta(
    adminMeta("GET", "/api/admin/counters", {
      summary: "Counters of the server",
      description: "How much there is of everything, and never what is in it.",
      reads: "admin.counters_read",
      examples: { "Result.version": EXAMPLE.version, "ResultTool.tool": "password" },
    }),
  )
  .input(noInput)
  .output(
    z.object({
      members: z.object({ total: count, disabled: count, administrators: count }),
      sessions: count.describe("Browsers in which somebody is logged in"),
      secrets: count.describe("Secrets that can still be opened"),
      requests: count.describe("Requests that can still be answered or collected"),
      stored: z.object({
        bytes: count.describe("What is stored, at most; read again every half minute"),
        maximum: count.describe("MAX_SECRET_BYTES"),
      }),
      tools: z
        .array(z.object({ tool: z.string(), succeeded: count, failed: count }))
        .describe("Calls of the tools in this hour and the 23 before it"),
      version: z.string().describe("The release that answers"),
    }),
  )
  .query(async ({ ctx: { services } }) => {
    await waiting(services.usage.flush());
    const now = services.now();
    const usedSince = now - (now % HOUR_SECONDS) - (HOURS - 1) * HOUR_SECONDS;
    const counts = await countInstance(services.db, { now, idleSeconds: SESSION_IDLE_SECONDS, usedSince });
    const stored = { bytes: await services.storedBytes(), maximum: services.maxSecretBytes };
    return { ...counts, stored, version: services.instance.version };
  });

/** Procedures of the page "Members". None of them shows anybody's content. */
export const admin = router({ ...members, counters });
