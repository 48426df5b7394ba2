/** Is told how much of the work is done, from 0 to 1, and never less than before but where the work starts again. */
export type OnProgress = (part: number) => void;

/** The progress of a stretch of the work, where somebody asks for it. */
export function stretchOf(
  onProgress: OnProgress | undefined,
  { from, to }: { from: number; to: number },
): OnProgress | undefined {
  return onProgress && ((part) => onProgress(from + part * (to - from)));
}
