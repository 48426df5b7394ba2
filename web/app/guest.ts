const GUEST = /^\/s\/|^\/r\/[^/]*$/;

/** Whether a page is for people who were sent a link. */
export function isGuest(path: string): boolean {
  return GUEST.test(path);
}
