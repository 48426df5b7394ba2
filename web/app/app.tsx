import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { ENTRIES } from "./directory.ts";
import { loaderOf } from "./loaders.ts";
import { Shell } from "./shell.tsx";
import { currentPath } from "./route.ts";

interface Shown {
  readonly path: string;
  readonly page: ComponentType | undefined;
  readonly failed?: true;
}

const shown = signal<Shown>({ path: "", page: undefined });

effect(() => void load(currentPath.value));

async function load(wanted: string): Promise<void> {
  document.title = `${titleOf(wanted)} · Hushkit`;
  try {
    const page = await loaderOf(wanted)();
    // Somebody quicker than the network may already be elsewhere.
    if (currentPath.value === wanted) shown.value = { path: wanted, page };
  } catch {
    if (currentPath.value === wanted) shown.value = { path: wanted, page: undefined, failed: true };
  }
}

function titleOf(wanted: string): string {
  if (wanted.startsWith("/s/")) return "A secret for you";
  if (wanted === "/tools") return "All tools";
  return ENTRIES.find(({ path }) => path === wanted)?.title ?? "Not found";
}

/** The whole of the pages: a frame and the one page in it. */
export function App() {
  const { path: at, page: Page, failed } = shown.value;
  return (
    <Shell at={currentPath.value}>
      {Page ? <Page key={at} /> : failed ? <LoadFailure /> : <p class="loading">Loading…</p>}
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
