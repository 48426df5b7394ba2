/** The pages that images become: as large as the image at its resolution, or a sheet that it fills as far as it can. */
export const IMAGE_FITS = ["image", "a4", "letter"] as const;

export type ImageFit = (typeof IMAGE_FITS)[number];
