import type { Signal } from "@preact/signals";
import { words } from "../app/language/words.ts";
import { isForMembers } from "../api/limits.ts";
import { Choices } from "../parts/field.tsx";

export type Place = "here" | "server";

/** The choice between this browser, which is the default, and the server. */
export function PlaceChoice({ place }: { place: Signal<Place> }) {
  const t = words().files;
  if (isForMembers("tools")) return <p class="hint">{words().members.tools}</p>;
  return <Choices label={t.where} value={place} choices={t.places} hint={t.placeHints[place.value]} />;
}
