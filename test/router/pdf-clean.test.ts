import { expect, test } from "vitest";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();
const scripted = pagesPdf(1, { extra: "/OpenAction<</S/JavaScript/JS(x)>>/PageMode/UseOutlines" });

const clean = (query = "") =>
  service.request(`/api/tools/pdf-clean${query}`, {
    method: "POST",
    body: scripted,
    headers: { "content-type": "application/pdf" },
  });

test("cleans a PDF over REST, and says in headers what went", async () => {
  const response = await clean("?remove=scripts,bookmarks&filename=plan.pdf");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-disposition")).toContain("plan.pdf");
  const { headers } = response;
  expect([headers.get("tool-repaired"), headers.get("tool-pages")]).toEqual(["false", "1"]);
  expect(headers.get("tool-removed")).toBe("scripts,bookmarks");
  expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).not.toContain("JavaScript");
});

test("cleans a PDF over RPC, by default of metadata, scripts and attachments", async () => {
  const { removed, repaired, passwordNeeded } = await service
    .client()
    .tools.pdfClean.mutate({ file: scripted });
  expect({ removed, repaired, passwordNeeded }).toEqual({
    ...{ removed: ["scripts"], repaired: false, passwordNeeded: false },
  });
});

test.each(["everything", "none,forms"])(
  "refuses to remove %s, with the words that it knows",
  async (remove) => {
    const response = await clean(`?remove=${remove}`);
    expect(response.status).toBe(400);
    const { code, parameter, allowed } = (await response.json()) as Record<string, unknown>;
    expect({ code, parameter }).toEqual({ code: "invalid_parameter", parameter: "remove" });
    expect(allowed).toContain("layers");
  },
);
