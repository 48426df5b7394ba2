import { expect, test } from "vitest";
import { openShell } from "./support/terminal.ts";

const UUID = "6a1a2934-b175-4319-908b-5d1a95120a47";

/** As the services make them, on their own hosts and on others. */
const LINKS: readonly (readonly [service: string, link: string])[] = [
  ["One-Time Secret", "https://onetimesecret.com/secret/ckj7ytx6ya30gyqaj1bnzzgx0pzxm4e"],
  ["One-Time Secret", "https://eu.onetimesecret.com/receipt/3p0xk9mq"],
  ["One-Time Secret", "https://ots.example.org/secret/AbCdEf1234567890AbCdEf1234567890"],
  ["Yopass", `https://yopass.se/#/s/${UUID}/X9eSZdgUOXSJ3ft0TXAfWT`],
  ["Yopass", `https://share.example.org/#/f/${UUID}/X9eSZdgUOXSJ3ft0TXAfWT`],
  ["Yopass", `https://yopass.se/#/c/${UUID}`],
  ["PrivateBin", "https://privatebin.net/?420fc9597328c72f#EezApNVTTRUuEkt1jj7r9vSfewLBvUohDSXWuvPEs1bF"],
  ["PrivateBin", "https://bin.example.org/p/?420fc9597328c72f#-EezApNVTTRUuEkt1jj7r9vSfewLBvUohDSXWuvPEs1bF"],
  [
    "Enclosed",
    "https://enclosed.cc/01j9x2kdt3h7m5q0v8c4w6r1ya#pw:dar:q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6j7k8l9z0x1c",
  ],
  ["Password Pusher", "https://pwpush.com/p/rz6nryvl-d4"],
  ["Password Pusher", "https://eu.pwpush.com/en/p/tnxljg8ihwq2lsldxq/r"],
  ["Password Pusher", "https://push.example.org/f/fkwjfvhall92"],
  ["Bitwarden Send", "https://send.bitwarden.com/#b05apZyICEiSYK0rACqK9w/BugJ9h22okZyDGMWCnDEqw"],
  ["Bitwarden Send", "https://vault.bitwarden.eu/#/send/b05apZyICEiSYK0rACqK9w/BugJ9h22okZyDGMWCnDEqw"],
  [
    "cryptgeon",
    "https://cryptgeon.org/note/jGk2p0#9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ],
  ["Hemmelig", "https://hemmelig.app/secret/abc123#decryptionKey=m1Zq8Yw2"],
  ["Send", "https://send.vis.ee/download/8b582a918856a4ae/#HVUL4qA-qRt23-2vDJlwtw"],
  [
    "SnapPass",
    "https://snap.example.org/snappass0123456789abcdef0123456789abcdef~9XbCq1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6j7k8l9%3D",
  ],
  ["1Password", "https://share.1password.com/s#HVUL4qAqRt232vDJlwtwHVUL4qAqRt232vDJlwtw"],
  ["Proton Pass", "https://pass.proton.me/secure/B05APZYICEISYK0R#BugJ9h22okZyDGMWCnDEqw"],
  ["Privnote", "https://privnote.com/aB3dE5fG#kL9mN1pQr"],
  ["scrt.link", "https://scrt.link/s#HVUL4qAqRt232vDJlwtw"],
  ["Wormhole", "https://wormhole.app/GqaZM#HVUL4qA-qRt23-2vDJlwtw"],
];

test.each(LINKS)("names a link of %s and asks nobody: %s", async (service, link) => {
  // Without a service every request fails, and the error would be of the network.
  const opened = await openShell().run(["open", link]);
  expect(opened).toMatchObject({ code: 2, out: "" });
  expect(opened.err).toContain(`hushkit: This looks like a link of ${service}, which Hushkit does not open:`);
});

test("names it in the middle of a sentence too, and for what becomes of it", async () => {
  const [, [, link]] = LINKS as [unknown, (typeof LINKS)[number]];
  const stdin = `Here it is: <${link}>.\n`;
  expect((await openShell().run(["open", "-"], { stdin })).err).toContain("a link of One-Time Secret");
  expect((await openShell().run(["status", "-"], { stdin })).err).toContain("a link of One-Time Secret");
});

test.each([
  "https://hush.example/s/0123456789abcdef",
  "https://hush.example/s/0123456789abcdef#tooShort",
  "https://hush.example/r/0123456789abcdef#tooShort",
  "https://hush.example/r/0123456789abcdef",
  "https://example.org/",
  "https://example.org/secret/",
  "no link at all",
])("says of %s that it is no whole link, and names no other service", async (link) => {
  const opened = await openShell().run(["open", link]);
  expect(opened).toMatchObject({ code: 2, err: expect.stringContaining("This is not a whole link") });
});
