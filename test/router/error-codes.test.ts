import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DatabaseUnavailable } from "../../db/connection/unavailable.ts";
import { listErrors } from "../../router/errors/error-codes.ts";
import { toApiError } from "../../router/errors/to-api-error.ts";

test("docs/errors.md has one row for each code, from the table", () => {
  const doc = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const rows = doc.split("\n").filter((line) => /^\| \d/.test(line));
  const cells = rows.map((line) => line.split("|").map((cell) => cell.trim()));
  expect(cells).toEqual(
    listErrors().map(({ code, status, description, fields }) => {
      const names = fields.map((name) => `\`${name}\``).join(" ");
      return ["", String(status), `\`${code}\``, description, names, ""];
    }),
  );
});

test("does not pass on the message of an error that nobody expected", () => {
  const error = toApiError(new Error("canary"));
  expect([error.code, error.status, error.details]).toEqual(["internal", 500, {}]);
  expect(error.message).not.toContain("canary");
});

test("finds the error inside the one that tRPC wraps around it", () => {
  const wrapped = new Error("wrapped", { cause: new DatabaseUnavailable("57P01") });
  expect(toApiError(wrapped)).toMatchObject({
    code: "database_unavailable",
    status: 503,
    details: { retryAfter: 5 },
  });
});
