import { useEffect, useRef } from "preact/hooks";

/** An object URL that is revoked when the component is unmounted. */
export function useObjectUrl(file: Blob): string {
  const held = useRef<{ file: Blob; url: string } | undefined>(undefined);
  if (held.current?.file !== file) {
    if (held.current) URL.revokeObjectURL(held.current.url);
    held.current = { file, url: URL.createObjectURL(file) };
  }
  useEffect(() => () => URL.revokeObjectURL(held.current?.url ?? ""), []);
  return held.current.url;
}

const KEPT_MS = 60_000;

/** Makes the browser save a file. */
export function saveFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // The browser reads the URL after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
