import { effect, signal, type Signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { pathOf } from "../../wire/pages.ts";
import { loginWanted } from "../account/member-failure.tsx";
import { FindButton, Finder } from "../find/find.tsx";
import { isGuest, hrefTo } from "./paths/base.ts";
import { instance } from "./instance.ts";
import { moreWords } from "./language/all-words.ts";
import { words, loadMoreWords } from "./language/words.ts";
import { isCleared } from "./owner.ts";
import { loadPage, titleAt } from "./paths/pages.ts";
import { AccountLink, Navigation, Strip } from "./paths/navigation.tsx";
import { forgetReload, isServerThere, reloadOnce } from "./paths/reload.ts";
import { currentPath } from "./paths/route.ts";
import { Shell } from "./shell.tsx";
import { LeaveDialog } from "./unsaved.tsx";
import { strays } from "../files/arriving.ts";

const shown = signal<{ path: string; Page: ComponentType | undefined; isFailed?: true }>({
  path: "",
  Page: undefined,
});

let loads = 0;

/** Sets the title of the browser's tab, from when the words are loaded. */
export function startTitle(): void {
  effect(() => {
    document.title = `${titleAt(currentPath.value)} · ${instance.value.name}`;
  });
}

/** Shows a page for each path. */
export function startPages(): void {
  effect(() => void showPage(currentPath.value));
}

/** Shows the page at a path once it is loaded. */
export async function showPage(path: string): Promise<void> {
  const load = ++loads;
  try {
    const Page = await loadPage(path);
    // The person may have gone to another page meanwhile, or the instance has no page at this path.
    if (load === loads) shown.value = { path, Page };
    forgetReload();
  } catch {
    // Without a server reloading does not help, and would lose what was typed on other pages.
    const isReloading = (await isServerThere()) && load === loads && reloadOnce();
    if (load === loads && !isReloading) shown.value = { path, Page: undefined, isFailed: true };
  }
}

/** The frame, and the current page in it. */
export function App() {
  const path = currentPath.value;
  const isForGuest = isGuest(path);
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

/** A dialog about something, whose code is loaded when it is first wanted; it is gone where that fails. */
function dialogAbout<Thing>(
  wanted: Signal<Thing | undefined>,
  load: () => Promise<ComponentType<{ about: Thing; onClose: () => void }>>,
) {
  const loaded = signal<Awaited<ReturnType<typeof load>> | undefined>(undefined);
  const close = () => (wanted.value = undefined);
  effect(() => {
    if (wanted.value && !loaded.peek()) load().then((Dialog) => (loaded.value = Dialog), close);
  });
  return function Dialog() {
    const [about, Loaded] = [wanted.value, loaded.value];
    return about && Loaded ? <Loaded about={about} onClose={close} /> : null;
  };
}

/** Lets somebody whose login has ended log in over the page; outside of every form, because it contains one. */
const LogInAgain = dialogAbout(loginWanted, async () => {
  const loading = Promise.all([import("../account/login-dialog.tsx"), loadMoreWords(moreWords)]);
  // Its file is gone after an update: log in on another page, so that what was typed stays.
  loading.catch(() => open(hrefTo(pathOf("account")), "_blank", "noopener"));
  return (await loading)[0].LoginDialog;
});

/** Asks what to do with files that were dropped on a page which takes none; without it, the person still has them. */
const StrayFiles = dialogAbout(strays, async () => (await import("../files/stray-dialog.tsx")).StrayDialog);
