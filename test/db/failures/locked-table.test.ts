// process
import pg from "pg";
import { expect } from "vitest";
import { createHealth, shareProbe } from "../../../adapters/operations/health.ts";
import { testWith } from "../../machine/skips.ts";
import { makePostgres, useDatabase } from "../support/harness.ts";

testWith("PostgreSQL").each(["secret", "allowance"])(
  "readiness names the database while the table %s is locked",
  async (table) =>
    useDatabase(makePostgres, async (db, { url }) => {
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      // A test that fails has its database dropped, and this connection with it.
      other.on("error", () => {});
      await other.query(`begin; lock table ${table} in share mode`);
      let pings = 0;
      const probe = shareProbe(() => {
        pings++;
        return db.ping();
      });
      for (let asked = 0; asked < 2; asked++) {
        const health = createHealth({ version: "1", probes: { database: probe } });
        expect(await health.failing()).toStrictEqual(["database"]);
      }
      // Each ends by itself when it has waited for as long.
      expect(pings).toBeLessThan(3);
      await other.end();
      await expect.poll(() => db.ping().then(() => "answers", String)).toBe("answers");
    }),
);
