import type { BrowserContext, Locator, Page } from "playwright-core";

/** What a person does, and how long at most after it the page showed anything new. */
export interface Interaction {
  readonly act: string;
  /** Milliseconds until the next picture, in steps of 8. */
  readonly total: number;
  /** Milliseconds before the page's own code began, and in it. */
  readonly wait: number;
  readonly work: number;
}

/** Before an act the page is left to itself, so that what it was still doing is not counted. */
const REST_MS = 250;
/** After it nothing is asked of the page that would come between the act and its picture. */
const PICTURE_MS = 350;
const KEY_MS = 40;
const SMALL_PICTURES = { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16 } as const;
const BETWEEN_MS = 100;
/** Browsers do not tell of events that are shown sooner. */
const SHORTEST_MS = 16;
const EDGE = { x: 3, y: 400 };
/** The longest that one key or click may take before it is counted with the next. */
const OBSERVED_MS = 60;

/** A person at a browser: real clicks and keys, each kept with the time until the next picture. */
export class Visitor {
  readonly interactions: Interaction[] = [];
  readonly #context: BrowserContext;
  readonly #origin: string;
  readonly #rate: number;

  constructor(context: BrowserContext, { origin, rate }: { origin: string; rate: number }) {
    this.#context = context;
    this.#origin = origin;
    this.#rate = rate;
  }

  /** Opens a page, at a path or a whole address, that has this part of the processor. */
  async open(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    const session = await this.#context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: this.#rate });
    // Unless somebody looks on, Chromium without a window tells of some pictures only when the next one comes.
    session.on("Page.screencastFrame", ({ sessionId }) => {
      session.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
    });
    await session.send("Page.startScreencast", SMALL_PICTURES);
    await page.addInitScript(observe);
    await page.goto(new URL(path, this.#origin).href);
    await page.waitForFunction(() => document.documentElement.dataset["page"] === undefined);
    return page;
  }

  /** Clicks where a control is, without the driver's own listeners, which take time in the page. */
  async click(control: Locator, act = nameOf(control)): Promise<void> {
    const page = control.page();
    await control.scrollIntoViewIfNeeded();
    while (!(await control.isEnabled())) await page.waitForTimeout(KEY_MS);
    const box = await control.boundingBox();
    if (!box) throw new Error(`${act} is not on the screen`);
    const [x, y] = [box.x + Math.min(box.width / 2, 60), box.y + box.height / 2];
    await page.mouse.move(x, y);
    await this.#do(page, `click ${act}`, () => page.mouse.click(x, y, { delay: KEY_MS }));
  }

  /** Presses keys one after the other, each by its name. */
  async press(page: Page, ...keys: readonly string[]): Promise<void> {
    for (const key of keys)
      await this.#do(page, `key ${key}`, () => page.keyboard.press(key, { delay: KEY_MS }));
  }

  /** Clicks into a field and types a text, key by key. */
  async type(field: Locator, text: string, act = nameOf(field)): Promise<void> {
    await this.click(field, act);
    for (const key of text)
      await this.#do(field.page(), `key ${key} in ${act}`, () => field.page().keyboard.type(key));
  }

  /** Clicks on the empty edge of a page until something is done: a person who clicks meanwhile waits for all of it. */
  async clickUntil(page: Page, act: string, done: Promise<unknown>): Promise<void> {
    let isDone = false;
    const ended = done.finally(() => (isDone = true));
    await this.#do(page, `click while ${act}`, async () => {
      while (!isDone) {
        await page.mouse.click(EDGE.x, EDGE.y, { delay: KEY_MS });
        await page.waitForTimeout(BETWEEN_MS);
      }
      await ended;
    });
  }

  async #do(page: Page, act: string, run: () => Promise<void>): Promise<void> {
    await page.waitForTimeout(REST_MS);
    await run();
    await page.waitForTimeout(PICTURE_MS);
    const all = await page.evaluate(take, OBSERVED_MS);
    const none = { total: SHORTEST_MS, wait: 0, work: 0 };
    this.interactions.push({
      act,
      ...all.reduce((most, each) => (each.total > most.total ? each : most), none),
    });
  }
}

/** "Create link" of `getByRole('button', { name: 'Create link' })`, or the selector. */
function nameOf(control: Locator): string {
  const text = String(control);
  return /name: '([^']*)'/.exec(text)?.[1] ?? /\('([^']*)'/.exec(text)?.[1] ?? text;
}

type InteractionTimes = Omit<Interaction, "act">;

/** What Event Timing tells, which TypeScript's library does not have all of. */
type EventTiming = PerformanceEventTiming & { readonly interactionId: number };

/** Runs in the page before anything else of it. */
function observe(): void {
  const events: EventTiming[] = [];
  // Entries without an interaction are those of a pointer that only moves.
  const observer = new PerformanceObserver((list) => {
    events.push(...(list.getEntries() as EventTiming[]).filter(({ interactionId }) => interactionId > 0));
  });
  observer.observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  Object.assign(globalThis, { interactionEvents: events });
}

/** Runs in the page: the interactions since the last time, each as long as the longest of its events. */
async function take(observedMs: number): Promise<InteractionTimes[]> {
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, observedMs)));
  const { interactionEvents } = globalThis as unknown as { interactionEvents: EventTiming[] };
  const longest = new Map<number, EventTiming>();
  for (const event of interactionEvents.splice(0))
    if (event.duration >= (longest.get(event.interactionId)?.duration ?? 0))
      longest.set(event.interactionId, event);
  return [...longest.values()].map(({ duration, startTime, processingStart, processingEnd }) => ({
    total: duration,
    wait: processingStart - startTime,
    work: processingEnd - processingStart,
  }));
}
