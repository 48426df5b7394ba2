// Sends members mails about their own secrets, through the relay of SMTP_URL (smtp.mjs). MEMBERS_FILE is JSON, read anew for
// each call: { "ann": { "to": "ann@acme.example", "secret": "whsec_…" } }. Ann's hook is https://HOST/ann, of the
// standard form: without its secret, which Hushkit shows when the hook is made, only the test call of that is taken.
import { readFileSync } from "node:fs";
import { receive, setting } from "./receive.mjs";
import { checked, sendMail } from "./smtp.mjs";

const file = setting("MEMBERS_FILE");

function findMember(path) {
  const members = JSON.parse(readFileSync(file, "utf8"));
  const name = path.slice(1);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

receive((text, _, { to }) => sendMail(text, checked(to)), findMember);
