import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

type Props = { readonly files: readonly File[] };

/** The tools that take files which this page does not take. They come when there is such a file. */
export function Instead({ files }: Props) {
  const Shown = useSignal<ComponentType<Props> | undefined>(undefined);
  useEffect(() => {
    // Without them the page still says why it does not take the file.
    void import("./tool-choice.tsx").then(
      ({ InsteadButtons }) => (Shown.value = InsteadButtons),
      () => undefined,
    );
  }, []);
  const Buttons = Shown.value;
  return Buttons ? <Buttons files={files} /> : null;
}
