/** Whether keyboards here have a command key instead of Ctrl. */
export function isApple(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

/** Whether there is a keyboard, as far as browsers tell: touch devices show one when it is needed. */
export function hasKeyboard(): boolean {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/** Over plain http, browsers have no Web Crypto except on localhost. */
export function canEncrypt(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}
