import { useId } from "preact/hooks";
import { readText } from "../compare/text-input.tsx";
import { words } from "../app/language/words.ts";
import { saveFile } from "../files/object-url.ts";
import { makeFile } from "../files/file-result.tsx";
import { passwordSuggestion, SuggestedField } from "../parts/suggestion.tsx";
import { Check, Choices, Field, SecretField } from "../parts/field.tsx";
import { Note } from "../parts/note.tsx";
import { TextArea } from "../parts/text-area.tsx";
import { takesKeyFile, type EncryptChoices } from "./keys.ts";

/** The fields for what locks a file. */
export function LockFields({ choices }: { choices: EncryptChoices }) {
  const t = words().encrypt;
  const { kind, password, recipients, armor } = choices;
  return (
    <>
      <Choices label={t.kind} value={kind} choices={t.kinds} />
      {kind.value === "recipients" ? (
        <>
          <TextArea label={t.recipients} hint={t.recipientsHint} value={recipients} isCode />
          <NewKeys choices={choices} />
        </>
      ) : (
        <SuggestedField
          label={t.password}
          value={password}
          hint={t.passwordHint}
          autocomplete="new-password"
          suggest={passwordSuggestion()}
        />
      )}
      {kind.value !== "password" && <Check label={t.armor} value={armor} />}
      {takesKeyFile(choices) && <KeyFile choices={choices} />}
    </>
  );
}

/** The fields for what opens the chosen file. */
export function UnlockFields({ choices }: { choices: EncryptChoices }) {
  const t = words().encrypt;
  const { opens, password, identities } = choices;
  if (opens.value === "identities") {
    const read = async (file: File | undefined) => {
      // A file that is not text is passed on as it is, and the tool says which line is wrong.
      identities.value = file ? ((await readText(file)) ?? (await file.text())) : "";
    };
    return (
      <>
        <TextArea label={t.identities} hint={t.identitiesHint} value={identities} isCode />
        <FileField label={t.identityFile} onChoose={read} />
      </>
    );
  }
  return (
    <>
      <SecretField label={t.password} value={password} />
      {takesKeyFile(choices) && <KeyFile choices={choices} />}
    </>
  );
}

function KeyFile({ choices: { keyFile } }: { choices: EncryptChoices }) {
  const t = words().encrypt;
  return (
    <details>
      <summary>{t.keyFile}</summary>
      <FileField label={t.keyFile} hint={t.keyFileHint} onChoose={(file) => (keyFile.value = file)} />
    </details>
  );
}

function FileField({
  label,
  hint,
  onChoose,
}: {
  label: string;
  hint?: string;
  onChoose: (file: File | undefined) => void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input {...ids} type="file" onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0])} />
      )}
    </Field>
  );
}

const KEY_NAME = "age-identity.txt";

/** Makes a key pair: the public key is added to the field; the secret key must be saved before anything is locked. */
function NewKeys({ choices: { recipients, unsavedKeys } }: { choices: EncryptChoices }) {
  const t = words().encrypt;
  const id = useId();
  const make = async () => {
    const { makeAgeKeys, writeIdentityFile } = await import("../../tools/age/keys.ts");
    const keys = await makeAgeKeys();
    const text = new TextEncoder().encode(writeIdentityFile(keys));
    unsavedKeys.value = makeFile(text, { name: KEY_NAME, type: "text/plain" });
    recipients.value = [recipients.value.trim(), keys.recipient].filter(Boolean).join("\n");
  };
  const { value } = unsavedKeys;
  if (!value) {
    return (
      <button type="button" class="small" onClick={() => void make()}>
        {t.makeKeys}
      </button>
    );
  }
  const save = () => {
    saveFile(value);
    unsavedKeys.value = undefined;
  };
  return (
    <Note kind="warn" title={t.keysTitle}>
      <p id={id}>{t.keysMade}</p>
      <button type="button" class="primary" aria-describedby={id} onClick={save}>
        {t.saveKeys}
      </button>
    </Note>
  );
}
