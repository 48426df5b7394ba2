// What pdf-compress may be asked for, apart from its engine: the server and the pages check it without that.
export const QUALITY_RANGE = { minimum: 1, maximum: 100 } as const;
export const DPI_RANGE = { minimum: 36, maximum: 600 } as const;
export const DEFAULT_QUALITY = 75;
export const DEFAULT_DPI = 150;
