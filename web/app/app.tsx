import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { instance } from "./instance.ts";
import { isGuest } from "./guest.ts";
import { StrayFiles } from "../files/stray-files.tsx";
import { FindButton, Finder } from "../find/find.tsx";
import { loadPage, titleAt } from "./paths/load-page.ts";
import { AccountLink, Navigation, Strip } from "./paths/navigation.tsx";
import { currentPath } from "./paths/route.ts";
import { forgetReload, isServerThere, reloadOnce } from "./paths/reload.ts";
import { LogInAgain } from "./log-in-again.tsx";
import { isCleared } from "./owner.ts";
import { Shell } from "./shell.tsx";
import { words } from "./language/words.ts";
import { LeaveDialog } from "./unsaved.tsx";

const shown = signal<{ path: string; Page: ComponentType | undefined; isFailed?: true }>({
  path: "",
  Page: undefined,
});

let loads = 0;

effect(() => void show(currentPath.value));

/** Names the browser's tab after the page, from when the words are loaded. */
export function startTitle(): void {
  effect(() => {
    document.title = `${titleAt(currentPath.value)} · ${instance.value.name}`;
  });
}

async function show(path: string): Promise<void> {
  const load = ++loads;
  try {
    const Page = await loadPage(path);
    // A person may have gone to another page while this one was loading, or the instance has none at this path.
    if (load === loads) shown.value = { path, Page };
    forgetReload();
  } catch {
    // Without a server there is nothing to reload, and what was typed on other pages would be lost.
    const isReloading = (await isServerThere()) && load === loads && reloadOnce();
    if (load === loads && !isReloading) shown.value = { path, Page: undefined, isFailed: true };
  }
}

/** The frame, and the current page in it. */
export function App() {
  const isForGuest = isGuest(currentPath.value);
  const path = currentPath.value;
  return (
    <Shell
      head={
        !isForGuest && (
          <>
            <Navigation path={path} />
            <FindButton />
            <AccountLink path={path} />
          </>
        )
      }
      strip={!isForGuest && <Strip path={path} />}
      foot={!isForGuest && words().frame.footer}
    >
      <Finder />
      <StrayFiles />
      <LogInAgain />
      <LeaveDialog />
      <ShownPage />
    </Shell>
  );
}

function ShownPage() {
  const { path, Page, isFailed } = shown.value;
  if (isCleared.value) return <p class="loading">{words().frame.loading}</p>;
  if (Page) return <Page key={path} />;
  return isFailed ? <LoadFailure /> : <p class="loading">{words().frame.loading}</p>;
}

function LoadFailure() {
  const { app, frame } = words();
  return (
    <section class="page">
      <h1>{frame.loadFailureTitle}</h1>
      <p class="lead">{frame.loadFailureLead}</p>
      <p>
        <button type="button" class="primary" onClick={() => location.reload()}>
          {app.tryAgain}
        </button>
      </p>
    </section>
  );
}
