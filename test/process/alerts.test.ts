// process
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { nodePath, runtimeAt } from "../support/runtimes.ts";
import { withProcess } from "./support/with-process.ts";

const ROOT = new URL("../../", import.meta.url);
const readText = (path: string) => readFileSync(new URL(path, ROOT), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Dashboard {
  readonly panels: { readonly id: number; readonly targets: { expr: string; legendFormat: string }[] }[];
}

// What is tested here is whether they are like this.
const { groups } = parse(readText("docs/alerts/hushkit.rules.yml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readText("docs/alerts/dashboard.json")) as Dashboard;
const targets = panels.flatMap((panel) => panel.targets);

/** Labels that Prometheus gives to what it has read. */
const TARGET = ["instance", "job", "le"];
/** Words of PromQL that are followed by no parenthesis. */
const WORDS = ["and", "or", "unless", "by", "without", "on", "ignoring"];

/** The metrics of an expression, with the labels that each is chosen by. */
function metricsIn(expr: string): { name: string; labels: string[] }[] {
  const plain = expr.replace(/\b(by|without|on|ignoring) \([^)]*\)/g, "").replace(/\[[^\]]*\]/g, "");
  const found = plain.matchAll(/\b([a-zA-Z_:][\w:]*)\b(?!\s*\()(?:\{([^}]*)\})?/g);
  const all = [...plain.replace(/\{[^}]*\}/g, "{}").matchAll(/\b([a-z_:][\w:]*)\b(?!\s*\()/gi)];
  const names = new Set(all.map(([, name = ""]) => name).filter((name) => !WORDS.includes(name)));
  return [...found]
    .filter(([, name = ""]) => names.has(name))
    .map(([, name = "", chosen = ""]) => ({
      name,
      labels: [...chosen.matchAll(/(\w+)\s*[=!]~?/g)].map(([, label = ""]) => label),
    }));
}

function groupedBy(expr: string): string[] {
  const lists = [...expr.matchAll(/\bby \(([^)]*)\)/g)].map(([, list = ""]) => list.split(/\s*,\s*/));
  return lists.flat();
}

const server = withProcess(runtimeAt("node", nodePath()), { METRICS_PORT: "0" });
const known = new Map<string, Set<string>>();

beforeAll(async () => {
  // Numbers of what nobody has done yet have no labels.
  for (const path of ["/", "/api/tools/password"])
    await fetch(server.url + path, { method: "POST", body: "hunter2" });
  const [, url = ""] = /"event":"metrics","url":"([^"]+)"/.exec(server.output()) ?? [];
  const text = await (await fetch(url)).text();
  for (const [, name = "", list = ""] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const labels = known.get(name) ?? new Set(TARGET);
    for (const [, label = ""] of list.matchAll(/(\w+)="/g)) labels.add(label);
    known.set(name, labels);
  }
  // What Prometheus says of a server by itself.
  known.set("up", new Set(TARGET));
});

test("the names of an expression are found", () => {
  const expr = 'sum by (a, le) (rate(x_total{s=~"5..",r!="y"}[5m])) / 2 > 0.5 unless z == 1';
  expect(metricsIn(expr)).toEqual([
    { name: "x_total", labels: ["s", "r"] },
    { name: "z", labels: [] },
  ]);
  expect(groupedBy(expr)).toEqual(["a", "le"]);
});

test.each([
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...targets.map(({ expr }) => ["the dashboard", expr] as const),
])("%s asks for numbers that a server has: %s", (_, expr) => {
  const found = metricsIn(expr);
  expect(found).not.toEqual([]);
  for (const { name, labels } of found) {
    expect([...known.keys()]).toContain(name);
    for (const label of labels) expect([...known.get(name)!]).toContain(label);
  }
  // Of two that are matched by all their labels, one would never have the other's.
  if (/ and (?!on )/.test(expr)) expect(new Set(found.map(({ labels }) => labels.join())).size).toBe(1);
  for (const label of groupedBy(expr))
    expect(
      found.some(({ name }) => known.get(name)?.has(label)),
      label,
    ).toBe(true);
});

test("every number of a server is in a rule or on the dashboard", () => {
  const asked = [...rules, ...targets].flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name));
  const bases = new Set(asked.map((name) => name.replace(/_(bucket|sum|count)$/, "")));
  const unasked = [...known.keys()].filter((name) => !bases.has(name.replace(/_(bucket|sum|count)$/, "")));
  expect(unasked).toEqual([]);
});

test("every alert says how bad it is, and leads to a section of the runbook", () => {
  const headings = [...readText("docs/runbook.md").matchAll(/^## (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
  for (const { alert, labels, annotations } of rules) {
    const [file, heading] = annotations.runbook_url.split("#");
    expect([alert, file]).toEqual([alert, "docs/runbook.md"]);
    expect(headings, alert).toContain(heading);
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\w/);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

test("every panel has a place of its own", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
