// Notifies the people who listen to a topic of ntfy. NTFY_URL is the topic's, such as https://ntfy.example/hushkit;
// NTFY_TOKEN is an access token where the topic needs one (https://docs.ntfy.sh/publish/).
import { post, receive, setting } from "./receive.mjs";

const url = setting("NTFY_URL");
const { NTFY_TOKEN: token } = process.env;

/** What may be an attack is more urgent than the rest. */
const URGENT = ["secret.locked", "account.login_failed"];

receive((text, { type }) =>
  post(url, {
    body: text,
    headers: {
      title: "Hushkit",
      tags: URGENT.includes(type) ? "warning" : "lock",
      priority: URGENT.includes(type) ? "4" : "3",
      ...(token && { authorization: `Bearer ${token}` }),
    },
  }),
);
