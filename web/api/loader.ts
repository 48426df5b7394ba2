import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { findFailure, type Failure } from "./failure.ts";

/** A value that is loaded from the server. */
type LoadState<Value> =
  | { readonly is: "loading" }
  | { readonly is: "loaded"; readonly value: Value }
  | { readonly is: "failed"; readonly failure: Failure };

/** Loads when the component is mounted, and again on demand. */
export function useLoader<Value>(load: () => Promise<Value>) {
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
export function useSender() {
  const isBusy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  /** Runs the request; resolves to whether it succeeded. */
  async function send(work: () => Promise<unknown>): Promise<boolean> {
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
