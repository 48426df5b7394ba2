import { words } from "../app/language/words.ts";
import { CopyableSecret } from "../parts/field.tsx";

/** Shown beside a file that was just locked, which nobody opens without it. */
export function PasswordReminder({ password }: { password: string }) {
  return (
    <div>
      <p class="hint">{words().encrypt.reminder}</p>
      <CopyableSecret value={password} />
    </div>
  );
}
