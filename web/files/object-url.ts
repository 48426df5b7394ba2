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
