import type { Signal } from "@preact/signals";
import { Choices } from "./field.tsx";

export type Place = "here" | "server";

const NOTES = {
  here: "In this browser: the file does not leave your machine.",
  server: "Sent to the server, kept in its memory for the call, written nowhere.",
} as const satisfies Record<Place, string>;

/** Where the work is done: in this page unless somebody chooses otherwise. */
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
