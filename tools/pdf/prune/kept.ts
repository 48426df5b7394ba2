/** Tells of an object whether it is kept. */
export type IsKept = (num: number) => boolean;
