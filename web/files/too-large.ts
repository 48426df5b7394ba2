import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadToolFileBytes } from "../api/limits.ts";
import type { Place } from "./action-bar.tsx";
import type { UnfitFile } from "./incoming.ts";

/** A smaller file is sent as quickly as the limit is asked for. */
const ASKED_FROM_BYTES = 1024 * 1024;

/** The chosen files that the server would refuse for their size, known before they are sent; in the browser none. */
export function useTooLarge(files: readonly File[], place: Place): readonly UnfitFile[] {
  const limit = useSignal<number | undefined>(undefined);
  const isAsked = place === "server" && files.some(({ size }) => size > ASKED_FROM_BYTES);
  useEffect(() => {
    if (!isAsked) return;
    // Without an answer the work reports it. Asked each time: somebody may have logged in.
    void loadToolFileBytes().then(
      (bytes) => (limit.value = bytes),
      () => undefined,
    );
  }, [isAsked]);
  const { value } = limit;
  if (!isAsked || value === undefined) return [];
  return files
    .filter(({ size }) => size > value)
    .map((file) => ({
      file,
      failure: { code: "file_too_large", fields: { value, unit: "bytes", actual: file.size } },
    }));
}
