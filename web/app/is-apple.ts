/** Whether keyboards here have a command key in place of Ctrl. */
export function isApple(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}
