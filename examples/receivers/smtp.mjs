// Sends mails through a relay. SMTP_URL is smtp://relay:25 for one of your own network that asks for nothing, or
// smtps://NAME:PASSWORD@relay:465 (RFC 8314), with % encoding in name and password; MAIL_FROM is an address. It speaks as
// much of RFC 5321 as one short mail needs.
import { randomUUID } from "node:crypto";
import { connect as connectPlain } from "node:net";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { connect as connectTls } from "node:tls";
import { setting } from "./receive.mjs";

const relay = new URL(setting("SMTP_URL"));
const from = checked(setting("MAIL_FROM"));
const TIMEOUT_MS = 10_000;

if (!["smtp:", "smtps:"].includes(relay.protocol)) throw new Error("SMTP_URL must be smtp:// or smtps://.");

/** A mail address, which has nothing in it that could end a line or a command. */
export function checked(address) {
  if (/^[!-;=?-~]+@[!-;=?-~]+$/.test(address)) return address;
  throw new Error("What mails are sent from and to must be addresses.");
}

function connect() {
  const isTls = relay.protocol === "smtps:";
  const [host, port] = [relay.hostname, Number(relay.port || (isTls ? 465 : 25))];
  const socket = isTls ? connectTls({ host, port }) : connectPlain({ host, port });
  return socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("The relay did not answer.")));
}

function mailOf(text, to) {
  const headers = [
    `From: Hushkit <${from}>`,
    `To: <${to}>`,
    `Subject: ${text}`,
    `Date: ${new Date().toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${randomUUID()}@${from.split("@")[1]}>`,
    // Nobody's notice of absence is an answer to it (RFC 3834).
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
  ];
  return [...headers, "", text, "."].join("\r\n");
}

/** Sends one line as a mail, which the relay must take. */
export async function sendMail(text, to) {
  const socket = connect();
  const failed = new Promise((_, reject) => {
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("The relay has ended the connection.")));
  });
  // Nobody waits for it any more once the mail is taken.
  failed.catch(() => {});
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  // The last line of an answer has a blank behind its code.
  const answer = async (expected) => {
    for (;;) {
      const { value = "" } = await Promise.race([lines.next(), failed]);
      if (value[3] === "-") continue;
      if (value.startsWith(expected)) return;
      throw new Error(`The relay answered ${value.slice(0, 3)}.`);
    }
  };
  const say = async (line, expected) => {
    socket.write(`${line}\r\n`);
    await answer(expected);
  };
  try {
    await answer("220");
    await say(`EHLO ${hostname().replace(/[^\w.-]/g, "") || "localhost"}`, "250");
    if (relay.username) {
      const [name, password] = [relay.username, relay.password].map(decodeURIComponent);
      await say(`AUTH PLAIN ${Buffer.from(`\0${name}\0${password}`).toString("base64")}`, "235");
    }
    await say(`MAIL FROM:<${from}>`, "250");
    await say(`RCPT TO:<${to}>`, "25");
    await say("DATA", "354");
    await say(mailOf(text, to), "250");
    socket.end("QUIT\r\n");
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
