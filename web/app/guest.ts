const GUEST = /^\/r\/[^/]*$/;

/** Whether a page of the app is for people who were sent a link. */
export function isGuest(path: string): boolean {
  return GUEST.test(path);
}
