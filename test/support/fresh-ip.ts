let hosts = 0;

/** An address that no other test of this process has used, so that its allowances are fresh. */
export function freshIp(): string {
  hosts++;
  return `10.${(hosts >> 16) & 255}.${(hosts >> 8) & 255}.${hosts & 255}`;
}
