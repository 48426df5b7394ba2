import { basePathOf } from "../../router/base-path.ts";
import type { Pages } from "./files.ts";

/** What a terminal sees at `/`. */
export function helpText(publicUrl: string): string {
  return `Hushkit: hand over a secret once, and do something to a file.

Share    curl --data-binary @- "${publicUrl}/?raw=true"
Rotate   curl --data-binary @in.pdf "${publicUrl}/api/tools/pdf-rotate?angle=90" -o out.pdf

Everything there is: ${publicUrl}/api/tools, as OpenAPI: ${publicUrl}/api/openapi.json
Pages for people: ${publicUrl}/ in a browser
`;
}

export const BUILDING_STYLE =
  ":root{color-scheme:light dark;font:1.0625rem/1.6 system-ui,sans-serif}body{display:grid;place-content:center;min-height:90vh;margin:0 1.5rem;text-align:center}h1{font-size:1.4rem;margin:0}p{margin:.5rem 0;max-width:30rem}";

/** Shown until the pages are there; the API answers meanwhile. */
export function buildingPage(state: ReturnType<Pages["state"]>): string {
  const isComing = state === "building";
  const said = isComing
    ? "<h1>The pages are being built</h1><p>This happens once and takes a few seconds. This page then shows itself.</p>"
    : "<h1>The pages are not built</h1><p>Run <code>npm run build</code> and start again.</p>";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${isComing ? '<meta http-equiv="refresh" content="2">' : ""}<title>Hushkit</title><style>${BUILDING_STYLE}</style></head>
<body><main>${said}<p>The API answers already.</p></main></body></html>
`;
}

/** What the pages say to a browser that runs no script. */
export function withoutScript(publicUrl: string): string {
  return `<noscript><main class="plain"><h1>Hushkit</h1>
<p>These pages do their work in your browser, so that nothing you give them leaves it. That takes JavaScript, which is switched off here.</p>
<p>The same tools answer over HTTP: <code>curl --data-binary @in.pdf "${escapeHtml(publicUrl)}/api/tools/pdf-rotate?angle=90" -o out.pdf</code></p>
<p><a href="${basePathOf(publicUrl)}/api/tools">Everything there is, as data</a></p></main></noscript>`;
}

/**
 * The form that opens a secret without script. A browser keeps what is behind the # to itself, so the key is
 * pasted; where a mail gateway has made %23 of the #, it is in the path and already filled in.
 */
export function openWithoutScript(link: string, publicUrl: string): string {
  const [, id, key = ""] = /^([0-9A-Za-z]{1,64})(?:(?:#|%23)([0-9A-Za-z]{0,64}))?/i.exec(link) ?? [];
  if (!id) return withoutScript(publicUrl);
  return `<noscript><main class="plain"><h1>A secret for you</h1>
<p>It can be opened once. It has not been opened yet.</p>
<form method="post" action="${basePathOf(publicUrl)}/api/secrets/${id}/reveal?raw=true">
<p><label for="key">The key: the 22 letters and digits behind the # of the link</label>
<input id="key" name="key" value="${key}" required pattern="[0-9A-Za-z]{22}" autocomplete="off" spellcheck="false"></p>
<p><label for="passphrase">The passphrase, if the sender gave you one</label>
<input id="passphrase" name="passphrase" type="password" autocomplete="off"></p>
<p><button>Open the secret</button></p></form>
<p>A wrong key uses nothing up. A link with a dot behind the key was encrypted in the sender's browser and opens only with JavaScript.</p></main></noscript>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
