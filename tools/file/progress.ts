/** Called with the completed part of the work, from 0 to 1; it never decreases unless the work starts again. */
export type OnProgress = (part: number) => void;

/** Maps the progress of one stretch of the work, where progress is wanted. */
export function stretchOf(
  onProgress: OnProgress | undefined,
  from: number,
  to: number,
): OnProgress | undefined {
  return onProgress && ((part) => onProgress(from + part * (to - from)));
}
