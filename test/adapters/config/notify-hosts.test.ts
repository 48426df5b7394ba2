import { expect, test } from "vitest";
import { isAllowed, isAllowedAddress } from "../../../adapters/config/notify-hosts.ts";
import { readConfig } from "../../../adapters/config/config.ts";

function hostsOf(text: string) {
  const { notifyHosts } = readConfig({ NOTIFY_HOSTS: text });
  if (!notifyHosts) throw new Error(`${text} names no hosts`);
  return notifyHosts;
}

test.each([
  ["ntfy.sh", "https://ntfy.sh/topic", true],
  ["ntfy.sh", "https://ntfy.sh:8443/topic", true],
  ["ntfy.sh", "https://ntfy.sh.example/topic", false],
  ["ntfy.sh:8443", "https://ntfy.sh:8443/topic", true],
  ["ntfy.sh:8443", "https://ntfy.sh/topic", false],
  ["ntfy.sh:443", "https://ntfy.sh/topic", true],
  ["*.azure.com", "https://a.logic.azure.com/x", true],
  ["*.azure.com", "https://azure.com/x", false],
  ["127.0.0.1", "http://127.0.0.1:4711/x", true],
  ["127.0.0.1", "http://127.0.0.2:4711/x", false],
  ["[::1]:4711", "http://[::1]:4711/x", true],
])("NOTIFY_HOSTS=%s and %s: %s", (text, url, isRight) => {
  expect(isAllowed(new URL(url), hostsOf(text))).toBe(isRight);
});

test.each([
  ["ntfy.sh", "https://ntfy.sh/", "10.0.0.5", false],
  ["ntfy.sh", "https://ntfy.sh/", "159.203.148.75", true],
  ["ntfy.sh", "http://ntfy.sh/", "159.203.148.75", false],
  ["ntfy.sh", "https://ntfy.sh/", "2604:a880:4:1d0::1", true],
  ["ntfy.sh", "https://ntfy.sh/", "fec0::1", false],
  ["ntfy.sh", "https://ntfy.sh/", "::10.0.0.5", false],
  ["ntfy.sh", "https://ntfy.sh/", "4000::1", false],
  ["ntfy.acme.internal,10.0.0.5", "http://ntfy.acme.internal/", "10.0.0.5", true],
  ["localhost", "http://localhost:4711/", "127.0.0.1", true],
  ["localhost", "http://localhost:4711/", "::1", true],
  ["localhost", "http://localhost:4711/", "10.0.0.5", false],
])("NOTIFY_HOSTS=%s, %s at %s: %s", (text, url, address, isRight) => {
  expect(isAllowedAddress(address, new URL(url), hostsOf(text))).toBe(isRight);
});
