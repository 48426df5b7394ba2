import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { loadPage, titleAt } from "./load-page.ts";
import { currentPath } from "./route.ts";
import { forgetReload, reloadOnce } from "./reload.ts";
import { Shell } from "./shell.tsx";
import { LeaveDialog } from "./unsaved.tsx";

interface ShownPage {
  readonly path: string;
  readonly Page: ComponentType | undefined;
  readonly isFailed?: true;
}

const shown = signal<ShownPage>({ path: "", Page: undefined });

effect(() => void show(currentPath.value));

async function show(path: string): Promise<void> {
  document.title = `${titleAt(path)} · Hushkit`;
  try {
    const Page = await loadPage(path);
    // A person may have gone to another page while this one was loading.
    if (currentPath.value === path) shown.value = { path, Page };
    forgetReload();
  } catch {
    if (currentPath.value === path && !reloadOnce()) shown.value = { path, Page: undefined, isFailed: true };
  }
}

/** The frame, and the current page in it. */
export function App() {
  const { path, Page, isFailed } = shown.value;
  return (
    <Shell path={currentPath.value}>
      <LeaveDialog />
      {Page ? <Page key={path} /> : isFailed ? <LoadFailure /> : <p class="loading">Loading…</p>}
    </Shell>
  );
}

function LoadFailure() {
  return (
    <section class="page">
      <h1>This page did not load</h1>
      <p class="lead">The server did not send it: it may be away, or your connection is.</p>
      <p>
        <button type="button" class="primary" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
    </section>
  );
}
