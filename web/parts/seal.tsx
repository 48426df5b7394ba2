/** The letter of the mark, as it is pressed into wax. */
export const STAMP = "M9 8v16M23 8v16M9 16h6.2M16.8 16H23";

/** A seal of wax: whole until what it closes is opened. Whoever shows it says the same in words. */
export function Seal({ isBroken = false }: { isBroken?: boolean }) {
  return (
    <span class={isBroken ? "seal broken" : "seal"}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d={STAMP} />
      </svg>
    </span>
  );
}
