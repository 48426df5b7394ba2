/** The path of PUBLIC_URL, without a slash at its end; "" where there is none. */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, "");
}
