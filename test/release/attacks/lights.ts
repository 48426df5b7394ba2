/** How long one kind of call took the others, in milliseconds. */
export interface Figures {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  /** Calls that were answered otherwise than by 200, or not at all. */
  readonly refused: number;
}

export interface Lights {
  /** A password. */
  readonly light: Figures;
  /** The digest of 1 KB. */
  readonly tool: Figures;
  /** A login with the right password, from an address of its own. */
  readonly login: Figures;
}

type Samples = Record<keyof Lights, { milliseconds: number; ok: boolean }[]>;

const CREDENTIALS = JSON.stringify({ name: "victim", password: "correct horse" });
const JSON_TYPE = { "content-type": "application/json" };
const EVERY_MS = { light: 25, tool: 400, login: 1000 };
/** Whether somebody is served, not how fast: a busy machine may take long. */
const PATIENCE_MS = 60_000;

/** Makes the account whose owner logs in during an attack. */
export async function createVictim(url: string): Promise<void> {
  const { status } = await fetch(`${url}/api/account/register`, {
    method: "POST",
    headers: { ...JSON_TYPE, ...from() },
    body: CREDENTIALS,
  });
  if (status !== 201) throw new Error(`Registration answered ${status}`);
}

/** Calls as others do, each kind at its own pace, for so long or until something has ended. */
export async function callLightly(
  url: string,
  { forMs, until }: { forMs?: number; until?: Promise<unknown> },
): Promise<Samples> {
  const samples: Samples = { light: [], tool: [], login: [] };
  let isOver = false;
  const end = (until ?? wait(forMs ?? 0)).then(() => (isOver = true));
  const pace = async (kind: keyof Lights, call: () => Promise<Response>) => {
    while (!isOver) {
      const next = wait(EVERY_MS[kind]);
      samples[kind].push(await timed(call));
      await next;
    }
  };
  const post = (path: string, init: RequestInit) =>
    fetch(url + path, { method: "POST", signal: AbortSignal.timeout(PATIENCE_MS), ...init });
  await Promise.all([
    end,
    pace("light", () =>
      fetch(`${url}/api/tools/password`, { headers: from(), signal: AbortSignal.timeout(PATIENCE_MS) }),
    ),
    pace("tool", () => post("/api/tools/file-hash", { headers: from(), body: "x".repeat(1024) })),
    pace("login", () =>
      post("/api/account/login", { headers: { ...JSON_TYPE, ...from() }, body: CREDENTIALS }),
    ),
  ]);
  return samples;
}

/** The figures of each kind of call. */
export function summarize(samples: Samples): Lights {
  const { light, tool, login } = samples;
  return { light: figuresOf(light), tool: figuresOf(tool), login: figuresOf(login) };
}

function figuresOf(samples: Samples["light"]): Figures {
  const sorted = samples.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  const refused = samples.filter(({ ok }) => !ok).length;
  return { calls: samples.length, p50: Math.round(at(0.5)), p99: Math.round(at(0.99)), refused };
}

async function timed(call: () => Promise<Response>): Promise<{ milliseconds: number; ok: boolean }> {
  const start = performance.now();
  const ok = await call().then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );
  return { milliseconds: performance.now() - start, ok };
}

let hosts = 0;

// Another address for each call, so that no call meets a limit of calls by address.
function from(): Record<string, string> {
  hosts++;
  return { "x-forwarded-for": `10.${(hosts >> 16) & 255}.${(hosts >> 8) & 255}.${hosts & 255}` };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
