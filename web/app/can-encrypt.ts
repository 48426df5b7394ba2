/** Over plain http, browsers have no Web Crypto except on localhost. */
export function canEncrypt(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}
