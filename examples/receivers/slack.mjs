// Tells a channel of Slack. SLACK_URL is the URL of an incoming webhook (https://docs.slack.dev/messaging/
// sending-messages-using-incoming-webhooks), and Mattermost and Rocket.Chat take the same call.
import { post, receive, setting } from "./receive.mjs";

const url = setting("SLACK_URL");
const headers = { "content-type": "application/json" };

receive((text) => post(url, { headers, body: JSON.stringify({ text }) }));
