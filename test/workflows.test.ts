import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Programs by which libraries or files of ours would run; `npm publish FILE` runs neither. */
const RUNS_OURS = /\bnpm (?!publish "\.\/)|\bnode [^-]|\b(?:npx|bun|deno|corepack) /;
const PINNED = /^[\w./-]+@[0-9a-f]{40}$/;

type Permissions = Readonly<Record<string, string>>;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly permissions?: Permissions;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}

function read(path: string): string {
  return readFileSync(`${ROOT}/${path}`, "utf8");
}

const WORKFLOWS = globSync(".github/workflows/*.yml", { cwd: ROOT });

/** The jobs of all workflows, by file and name. */
function jobs(): [string, Job & { permissions: Permissions }][] {
  return WORKFLOWS.flatMap((path) => {
    const workflow = parse(read(path)) as Workflow;
    return Object.entries(workflow.jobs).map(
      ([name, job]) =>
        [`${path} ${name}`, { ...job, permissions: job.permissions ?? workflow.permissions }] as [
          string,
          Job & { permissions: Permissions },
        ],
    );
  });
}

function mayWrite([, { permissions }]: ReturnType<typeof jobs>[number]): boolean {
  return Object.values(permissions).includes("write");
}

test("every job says its permissions, and only those that publish may write", () => {
  const writing = jobs().filter(mayWrite);
  expect(writing.map(([name]) => name.split(" ")[1])).toEqual(["publish", "pages"]);
  // A word such as write-all would stand for all of them.
  for (const [name, { permissions }] of jobs())
    expect([name, permissions]).toEqual([name, expect.any(Object)]);
});

test("what may publish runs neither libraries nor files of this repository", () => {
  for (const [name, { steps }] of jobs().filter(mayWrite)) {
    const ours = steps.filter(
      ({ run = "", uses = "" }) => RUNS_OURS.test(run) || uses.startsWith("actions/checkout"),
    );
    expect([name, ours]).toEqual([name, []]);
  }
});

test("what may publish compares its files with digests of another job first", () => {
  for (const [name, { steps }] of jobs().filter(mayWrite)) {
    const [first, second] = steps;
    expect([name, first?.uses]).toEqual([name, expect.stringMatching(/^actions\/download-artifact@/)]);
    expect([name, second?.run]).toEqual([name, expect.stringContaining("sha256sum --check --strict")]);
    expect(second?.env?.DIGESTS).toBe("${{ needs.build.outputs.digests }}");
  }
});

test("everything is installed from a lock, and runs no script as it is installed", () => {
  for (const path of [...WORKFLOWS, "Dockerfile"]) {
    const lines = read(path).split("\n");
    const wrong = lines.filter((line) =>
      /npm (?:i|install)\b|\bnpx\b|npm ci(?! --ignore-scripts)/.test(line),
    );
    expect([path, wrong]).toEqual([path, []]);
  }
});

test("every action is pinned by a commit", () => {
  const used = jobs().flatMap(([, { steps }]) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((each) => !PINNED.test(each))).toEqual([]);
});

test("Dependabot looks at every lock, and groups what is no new major", () => {
  const { updates } = parse(read(".github/dependabot.yml")) as {
    updates: { "package-ecosystem": string; directories?: string[]; groups?: Record<string, object> }[];
  };
  const npm = updates.find((each) => each["package-ecosystem"] === "npm");
  const locks = globSync(["package-lock.json", "*/package-lock.json", "*/*/package-lock.json"], {
    cwd: ROOT,
    exclude: (path) => path.includes("node_modules"),
  });
  const folders = locks.map((path) => `/${path.replace(/\/?package-lock\.json$/, "")}`);
  expect(npm?.directories?.toSorted()).toEqual(folders.toSorted());
  expect(npm?.groups).toEqual({ npm: { "update-types": ["minor", "patch"] } });
});

test("the Bun of every executable that a release has is locked by its digest", () => {
  const [, targets = ""] = /for target in (.+)/.exec(read(".github/workflows/release.yml")) ?? [];
  const { packages } = JSON.parse(read("release/runtimes/package-lock.json")) as {
    packages: Record<string, { integrity?: string; os?: string[]; cpu?: string[]; libc?: string[] }>;
  };
  const locked = Object.entries(packages).flatMap(
    ([path, { integrity = "", os = [], cpu = [], libc = [] }]) => {
      const isLocked = path.includes("@oven/") && integrity.startsWith("sha512-");
      return isLocked ? [`${os.join()}${libc.includes("musl") ? "musl" : ""}-${cpu.join()}`] : [];
    },
  );
  expect(locked.toSorted()).toEqual(targets.split(" ").toSorted());
});
