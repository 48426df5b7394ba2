import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadToolFileBytes } from "../api/limits.ts";
import type { Place } from "./action-bar.tsx";
import type { UnfitFile } from "./incoming.ts";

/** The chosen files that the server would refuse for their size, known before they are sent; in the browser none. */
export function useTooLarge(files: readonly File[], place: Place): readonly UnfitFile[] {
  const limit = useSignal<number | undefined>(undefined);
  useEffect(() => {
    if (place !== "server") return;
    // Without an answer the work reports it. Asked each time: somebody may have logged in.
    void loadToolFileBytes().then(
      (bytes) => (limit.value = bytes),
      () => undefined,
    );
  }, [place]);
  const { value } = limit;
  if (place !== "server" || value === undefined) return [];
  return files
    .filter(({ size }) => size > value)
    .map((file) => ({
      file,
      failure: { code: "file_too_large", fields: { value, unit: "bytes", actual: file.size } },
    }));
}
