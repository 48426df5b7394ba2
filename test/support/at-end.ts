/** What is still to be done when a file of tests has ended, because a test that failed did not come to it. */
export const atEnd = new Set<() => Promise<void>>();
