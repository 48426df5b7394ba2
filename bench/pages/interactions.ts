// How long a page takes to show anything after a click or a key, in each flow of the pages: the longest interaction, as
// Event Timing tells it (for so few that is INP). On a phone with a quarter of the processor, and on a desktop with all
// of it; workers always have all of it. Beside it a page of one button and one textarea without a script.
// Run alone: node bin/start.mjs bench/pages/interactions.ts [flow ...]
import { chromium, type Browser } from "playwright-core";
import { buildPages, startServer } from "../../test/web/support/served.ts";
import { findChromium } from "../../test/machine/things.ts";
import { freshIp } from "../../test/support/fresh-ip.ts";
import { FLOWS, makeFlowFiles, pasteIntoBarePage, useBarePage, type Flow, type FlowFiles } from "./flows.ts";
import { row } from "../support/measure.ts";
import { Visitor, type Interaction } from "./visitor.ts";

/** Each act counts as often as it was fastest: what else the machine does only ever adds. */
const FEWEST_ROUNDS = 2;
/** A flow that is slower than it should be gets more of them. */
const MOST_ROUNDS = 6;
const GOAL_MS = 100;
const DEVICES = {
  phone: { rate: 4, viewport: { width: 390, height: 844 } },
  desktop: { rate: 1, viewport: { width: 1280, height: 720 } },
} as const;
type Device = (typeof DEVICES)[keyof typeof DEVICES];

const WAIT_MS = 120_000;

async function benchInteractions(names: readonly string[], print: (line: string) => void): Promise<void> {
  await buildPages();
  const server = await startServer({ ahead: 0 });
  const files = await makeFlowFiles();
  const found = await findChromium();
  if (!("at" in found)) throw new Error("There is no Chromium on this machine");
  const browser = await chromium.launch({ executablePath: found.at, args: ["--headless", "--no-sandbox"] });
  for (const [deviceName, device] of Object.entries(DEVICES)) {
    for (const name of names) {
      const flow = FLOWS[name];
      if (!flow) throw new Error(`There are ${Object.keys(FLOWS).join(", ")}`);
      const [own, bare]: [Interaction[][], Interaction[][]] = [[], []];
      while (own.length < FEWEST_ROUNDS || (own.length < MOST_ROUNDS && longestOf(own).total > GOAL_MS)) {
        own.push(await walkThrough(browser, { device, origin: server.url, flow, files }));
        bare.push(
          await walkThrough(browser, {
            device,
            origin: server.url,
            flow: name === "compare" ? pasteIntoBarePage : useBarePage,
            files,
          }),
        );
      }
      print(lineOf(`${deviceName}: ${name}`, longestOf(own), longestOf(bare)));
    }
  }
  await browser.close();
  await server.close();
  files.drop();
}

interface Round {
  readonly device: Device;
  readonly origin: string;
  readonly flow: Flow;
  readonly files: FlowFiles;
}

async function walkThrough(browser: Browser, { device, origin, flow, files }: Round): Promise<Interaction[]> {
  const context = await browser.newContext({ viewport: device.viewport, serviceWorkers: "block" });
  try {
    await context.setExtraHTTPHeaders({ "x-forwarded-for": freshIp() });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    context.setDefaultTimeout(WAIT_MS);
    const visitor = new Visitor(context, { origin, rate: device.rate });
    await flow(visitor, files);
    return visitor.interactions;
  } finally {
    await context.close();
  }
}

/** The longest of the acts, each as in the round in which it was fastest. */
function longestOf(rounds: readonly (readonly Interaction[])[]): Interaction {
  const [first = []] = rounds;
  const fastest = first.map((_, act) =>
    rounds.map((round) => round[act]!).reduce((least, each) => (each.total < least.total ? each : least)),
  );
  return fastest.reduce((most, each) => (each.total > most.total ? each : most));
}

function lineOf(name: string, { act, total, wait, work }: Interaction, bare: Interaction): string {
  const parts = [wait, work, total - wait - work].map((ms) => Math.max(0, ms).toFixed(0));
  return `${row(name, { value: total, unit: "ms", peer: bare.total })}  ${act} (${parts.join(" + ")})`;
}

const names = process.argv.slice(2);
await benchInteractions(names.length > 0 ? names : Object.keys(FLOWS), (line) => console.log(line));
