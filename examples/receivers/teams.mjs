// Tells a channel of Microsoft Teams. TEAMS_URL is the URL of a workflow "Post to a channel when a webhook request is
// received", which takes a message with an Adaptive Card.
import { post, receive, setting } from "./receive.mjs";

const url = setting("TEAMS_URL");
const headers = { "content-type": "application/json" };

function cardOf(text) {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [{ type: "TextBlock", text, wrap: true }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

receive((text) => post(url, { headers, body: JSON.stringify(cardOf(text)) }));
