import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { findFailure, type Failure } from "./failure.ts";

/** A value that is loaded from the server. */
type LoadState<Value> =
  | { readonly is: "loading" }
  | { readonly is: "loaded"; readonly value: Value }
  | { readonly is: "failed"; readonly failure: Failure };

/** Loads when the component is mounted, and again on demand. */
export function useLoader<Value>(load: () => Promise<Value>): {
  state: Signal<LoadState<Value>>;
  reload: () => Promise<void>;
} {
  const state = useSignal<LoadState<Value>>({ is: "loading" });
  async function reload() {
    try {
      state.value = { is: "loaded", value: await load() };
    } catch (error) {
      state.value = { is: "failed", failure: await findFailure(error) };
    }
  }
  useEffect(() => void reload(), []);
  return { state, reload };
}

/** Runs requests that change something on the server, one at a time. */
export function useSender(): {
  isBusy: Signal<boolean>;
  failure: Signal<Failure | undefined>;
  /** Runs the request; resolves to whether it succeeded. */
  send: (work: () => Promise<unknown>) => Promise<boolean>;
} {
  const isBusy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  async function send(work: () => Promise<unknown>) {
    if (isBusy.value) return false;
    isBusy.value = true;
    failure.value = undefined;
    try {
      await work();
      return true;
    } catch (error) {
      failure.value = await findFailure(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  }
  return { isBusy, failure, send };
}
