import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { describeError, type Failure } from "./server.ts";

/** Something that comes from the server: not there yet, there, or not to be had. */
export type Loaded<Value> =
  | { readonly is: "loading" }
  | { readonly is: "loaded"; readonly value: Value }
  | { readonly is: "failed"; readonly failure: Failure };

export interface Loader<Value> {
  readonly state: Signal<Loaded<Value>>;
  readonly reload: () => Promise<void>;
}

/** Asks the server when the component is shown, and again on demand. */
export function useLoader<Value>(load: () => Promise<Value>): Loader<Value> {
  const state = useSignal<Loaded<Value>>({ is: "loading" });
  async function reload() {
    try {
      state.value = { is: "loaded", value: await load() };
    } catch (error) {
      state.value = { is: "failed", failure: describeError(error) };
    }
  }
  useEffect(() => void reload(), []);
  return { state, reload };
}

export interface Sender {
  readonly isBusy: Signal<boolean>;
  readonly failure: Signal<Failure | undefined>;
  /** Does it, and tells whether it went well. */
  readonly send: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** One thing at a time that changes something on the server. */
export function useSender(): Sender {
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
      failure.value = describeError(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  }
  return { isBusy, failure, send };
}
