import type { Locator, Page } from "playwright-core";

/**
 * Says of an element which of its sides is outside of the window, and what lies over it; nothing where all of it can be
 * seen.
 */
export function hiddenPartsOf(part: Locator): Promise<string[]> {
  return part.evaluate((element) => {
    const { top, right, bottom, left } = element.getBoundingClientRect();
    const found: string[] = [];
    if (top < -0.5) found.push(`${Math.round(-top)} px above the window`);
    if (bottom > innerHeight + 0.5) found.push(`${Math.round(bottom - innerHeight)} px below the window`);
    if (left < -0.5) found.push(`${Math.round(-left)} px before the window`);
    if (right > innerWidth + 0.5) found.push(`${Math.round(right - innerWidth)} px behind the window`);
    if (found.length > 0) return found;
    const inset = 4;
    for (const x of [left + inset, (left + right) / 2, right - inset])
      for (const y of [top + inset, (top + bottom) / 2, bottom - inset]) {
        const over = document.elementFromPoint(x, y);
        if (over && !element.contains(over) && !over.contains(element))
          found.push(`under ${over.outerHTML.slice(0, 80)}`);
      }
    return [...new Set(found)];
  });
}

/**
 * Looks at a page from its top and from its end: scrolls it sideways, is there a page below its foot, does one thing lie
 * over another. What stays at the lower edge while its form goes on below may do so.
 */
export async function faultsOfLayout(page: Page): Promise<string[]> {
  const place = await page.evaluate(() => scrollY);
  const found: string[] = [];
  for (const y of [0, 1e6]) {
    await page.evaluate((to) => scrollTo(0, to), y);
    found.push(...(await page.evaluate(listFaults)));
  }
  await page.evaluate((to) => scrollTo(0, to), place);
  return [...new Set(found)];
}

/** Runs in the page. */
function listFaults(): string[] {
  const root = document.documentElement;
  const found: string[] = [];
  if (root.scrollWidth > innerWidth) found.push(`${root.scrollWidth} px wide`);
  const foot = document.querySelector("footer");
  const end = foot ? foot.getBoundingClientRect().bottom + scrollY : 0;
  if (root.scrollHeight > Math.max(end, innerHeight) + 1)
    found.push(`${Math.round(root.scrollHeight - end)} px below the foot`);
  const things = "a, button, select, textarea, input:not(.unseen), summary, label, h1, h2, p, dt, dd, .tag";
  for (const element of document.querySelectorAll(things)) {
    if (
      !element.checkVisibility() ||
      element.matches(".skip, .unseen, .unseen *, .choices input, .pictures input")
    )
      continue;
    for (const { top, right, bottom, left } of element.getClientRects()) {
      if (bottom - top < 1) continue;
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const over = document.elementFromPoint(x, y);
      if (!over || element.contains(over) || over.contains(element)) continue;
      // What is scrolled away inside a box of its own, or lies under what stays at the edge, can be reached.
      if (over.closest(".bar") || isClipped(element, x, y)) continue;
      found.push(`${over.outerHTML.slice(0, 60)} lies over ${element.outerHTML.slice(0, 60)}`);
    }
  }
  return found;

  function isClipped(element: Element, x: number, y: number): boolean {
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { top, right, bottom, left } = box.getBoundingClientRect();
      const isCut = getComputedStyle(box).overflow !== "visible";
      if (isCut && (x < left || x > right || y < top || y > bottom)) return true;
    }
    return false;
  }
}
