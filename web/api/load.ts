import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { tell, type Told } from "./server.ts";

/** Something that comes from the server: not there yet, there, or not to be had. */
export type Loaded<Value> =
  | { readonly is: "loading" }
  | { readonly is: "there"; readonly value: Value }
  | { readonly is: "failed"; readonly told: Told };

export interface Loading<Value> {
  readonly state: Signal<Loaded<Value>>;
  readonly reload: () => Promise<void>;
}

/** Asks the server when the component is shown, and again on demand. */
export function useLoaded<Value>(ask: () => Promise<Value>): Loading<Value> {
  const state = useSignal<Loaded<Value>>({ is: "loading" });
  async function reload() {
    try {
      state.value = { is: "there", value: await ask() };
    } catch (error) {
      state.value = { is: "failed", told: tell(error) };
    }
  }
  useEffect(() => void reload(), []);
  return { state, reload };
}

export interface Sending {
  readonly isBusy: Signal<boolean>;
  readonly told: Signal<Told | undefined>;
  /** Does it, and tells whether it went well. */
  readonly send: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** One thing at a time that changes something on the server. */
export function useSending(): Sending {
  const isBusy = useSignal(false);
  const told = useSignal<Told | undefined>(undefined);
  async function send(work: () => Promise<unknown>) {
    if (isBusy.value) return false;
    isBusy.value = true;
    told.value = undefined;
    try {
      await work();
      return true;
    } catch (error) {
      told.value = tell(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  }
  return { isBusy, told, send };
}
