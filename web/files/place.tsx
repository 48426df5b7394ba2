import type { Signal } from "@preact/signals";
import { Choices } from "../parts/field.tsx";

export type Place = "here" | "server";

const NOTES = {
  here: "In this browser: nothing leaves your machine.",
  server: "Sent to the server, which keeps it in memory for the call and writes it nowhere.",
} as const satisfies Record<Place, string>;

/** The choice between this browser, which is the default, and the server. */
export function PlaceChoice({ place }: { place: Signal<Place> }) {
  return (
    <Choices
      label="Where"
      value={place}
      choices={{ here: "Work here", server: "On the server" }}
      hint={NOTES[place.value]}
    />
  );
}
