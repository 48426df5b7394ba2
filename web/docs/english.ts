/** What the document says is English on every page, also on those that run from right to left. */
export const ENGLISH = { lang: "en", dir: "ltr" } as const;
