import type { Control } from "../../work/run.ts";
import { shareCopies, type Copies } from "./copies.ts";
import { shareSecret, type CreatedSecret, type SecretInput } from "./share.ts";
import { SharedCopies } from "./shared-copies.tsx";
import { SharedSecret } from "./shared-secret.tsx";

// What the form does not need before it is sent, loaded while somebody types.

/** What was shared: one secret, or one for each of several people. */
export type HandOverResult =
  | { readonly is: "one"; readonly secret: CreatedSecret }
  | { readonly is: "several"; readonly copies: Copies };

/** Shares something: with each of these people by a link of their own, or by one link where nobody is named. */
export async function handOver(
  input: SecretInput,
  { people, control }: { people: readonly string[]; control: Control },
): Promise<HandOverResult> {
  if (people.length === 0) return { is: "one", secret: await shareSecret(input, control) };
  const copies = { input, made: [], left: people, failure: undefined };
  return { is: "several", copies: await shareCopies(copies, control) };
}

/** What was shared, with its links and their states. */
export function HandedOver({ shared, onAnother }: { shared: HandOverResult; onAnother: () => void }) {
  return shared.is === "one" ? (
    <SharedSecret shared={shared.secret} onAnother={onAnother} />
  ) : (
    <SharedCopies first={shared.copies} onAnother={onAnother} />
  );
}
