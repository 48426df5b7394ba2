import type { Page } from "playwright-core";

const REGIONS = "[role=alert], [role=status], [aria-live], output";

/** Has a page note which live regions came with their text, of which screen readers say little. */
export async function watchRegions(page: Page): Promise<void> {
  await page.context().addInitScript(watch, REGIONS);
  await page.evaluate(watch, REGIONS);
}

/** What is wrong after a step that shows a text: the focus is nowhere, or nobody who does not see is told. */
export function findLost(page: Page, text: string): Promise<string> {
  return page.evaluate(find, { text, regions: REGIONS });
}

interface Watched {
  readonly mute: WeakSet<Element>;
}

function watch(regions: string): void {
  const mute = new WeakSet<Element>();
  (globalThis as unknown as { watched: Watched }).watched = { mute };
  new MutationObserver((changes) => {
    const isNew = new Set<Element>();
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof Element)
        for (const region of [node, ...node.querySelectorAll("*")])
          if (region.matches(regions)) isNew.add(region);
    for (const { target } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(regions);
      if (region && !isNew.has(region)) mute.delete(region);
    }
    for (const region of isNew) if (region.textContent?.trim()) mute.add(region);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

function find({ text, regions }: { text: string; regions: string }): string {
  const { mute } = (globalThis as unknown as { watched: Watched }).watched;
  const { activeElement: active } = document;
  if (!active || active === document.body) return "The focus is nowhere";
  const shown = [...document.querySelectorAll("main *, dialog *")].filter(
    (element) => holds(element) && ![...element.children].some(holds) && element.checkVisibility(),
  );
  const focus = `the focus is on ${active.outerHTML.slice(0, 200)}`;
  const main = document.querySelector("main")?.innerText.replaceAll(/\s+/g, " ").slice(0, 400);
  if (shown.length === 0) return `There is no ${text} in: ${main}; ${focus}`;
  const isTold = shown.some((element) => isSaid(element) || isAboutFocus(element));
  return isTold ? "" : `Nobody is told ${text}; ${focus}`;

  function isAboutFocus(element: Element): boolean {
    if (element instanceof HTMLLabelElement && element.control === active) return true;
    return element.contains(active) || (active?.localName !== "main" && active?.contains(element) === true);
  }

  function holds(element: Element): boolean {
    return `${element.ariaLabel ?? ""} ${element.textContent}`.includes(text);
  }

  // An alert is said as it comes, in all of them.
  function isSaid(element: Element): boolean {
    const region = element.closest(regions);
    return region !== null && (region.role === "alert" || !mute.has(region));
  }
}
