import { useSignal, type Signal } from "@preact/signals";
import { toFailure } from "../api/failure.ts";
import { words } from "../app/language/words.ts";
import { SecretField } from "../parts/field.tsx";

/** The password, for which the server asks only some time after a login. */
export interface Confirmation {
  readonly password: Signal<string>;
  readonly isAsked: Signal<boolean>;
  /** Runs a call with the password, where one was given. */
  readonly run: <Result>(call: (given: { password?: string }) => Promise<Result>) => Promise<Result>;
}

export function useConfirmation(): Confirmation {
  const password = useSignal("");
  const isAsked = useSignal(false);
  return {
    password,
    isAsked,
    async run(call) {
      try {
        const result = await call(password.value === "" ? {} : { password: password.value });
        password.value = "";
        isAsked.value = false;
        return result;
      } catch (error) {
        if (toFailure(error).code === "missing_parameter") isAsked.value = true;
        throw error;
      }
    },
  };
}

/** The field for it, once the server has asked. */
export function ConfirmationField({ confirmation: { isAsked, password } }: { confirmation: Confirmation }) {
  if (!isAsked.value) return null;
  const label = words().account.password;
  return <SecretField label={label} value={password} autocomplete="current-password" isFocused />;
}
