import { useSignal } from "@preact/signals";
import { findFailure, type Failure } from "../api/failure.ts";
import { formatFailure } from "../api/format-failure.ts";
import { words } from "../app/language/words.ts";
import { CopyableSecret, SecretField, type SecretProps } from "./field.tsx";
import { Icon } from "./icon.tsx";

/** Five words of a long list: enough where there are only ten attempts. */
const BITS_ONLINE = 64;
/** Six words: somebody who has the file can try for years. */
const BITS_OFFLINE = 77;

/** For the passphrase of a secret. */
export function passphraseSuggestion() {
  return suggestion(words().share.suggest, BITS_ONLINE);
}

/** For the password of a file. */
export function passwordSuggestion() {
  return suggestion(words().files.suggest, BITS_OFFLINE);
}

/** A button that fills a password field. */
function suggestion(label: string, bits: number) {
  // The word lists are loaded when they are first needed.
  return { label, make: async () => (await import("../password/suggest.ts")).suggestPassphrase(bits) };
}

/** A password or passphrase, with a button that makes one, which is then shown and can be copied. */
export function SuggestedField(
  props: Omit<SecretProps, "beside" | "below"> & { suggest: ReturnType<typeof suggestion> },
) {
  const { suggest, ...field } = props;
  const { value } = field;
  const suggested = useSignal("");
  const failure = useSignal<Failure | undefined>(undefined);
  const isSuggested = suggested.value !== "" && suggested.value === value.value;
  const fillIn = async () => {
    failure.value = undefined;
    try {
      value.value = suggested.value = await suggest.make();
    } catch (error) {
      failure.value = await findFailure(error);
    }
  };
  return (
    <SecretField
      {...field}
      beside={
        <button
          type="button"
          class="icon-only"
          aria-label={suggest.label}
          title={suggest.label}
          onClick={() => void fillIn()}
        >
          <Icon name="dice" />
        </button>
      }
      below={
        <>
          {/* A value that nobody has seen could never be passed on. */}
          {isSuggested && <CopyableSecret value={value.value} />}
          {failure.value && (
            <p class="hint" role="alert">
              {formatFailure(failure.value)}
            </p>
          )}
        </>
      }
    />
  );
}
