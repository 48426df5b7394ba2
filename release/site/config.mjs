// What VitePress builds the documents with; `build.ts` copies it beside them.
import { readFileSync } from "node:fs";

const titles = JSON.parse(readFileSync(new URL("../titles.json", import.meta.url), "utf8"));

// As forges make the anchors of headings, which the documents name: lower case, without punctuation, hyphens for blanks.
const slugify = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

export default {
  title: "Hushkit",
  description: "One small server for sharing a secret once and doing something to a file.",
  // Wherever it is put: the release says under which path.
  base: process.env.SITE_BASE ?? "/",
  cleanUrls: true,
  markdown: { anchor: { slugify }, languageAlias: { caddy: "nginx", conf: "ini" } },
  // Nothing here waits for the network, and no reader is counted.
  vite: { build: { modulePreload: { polyfill: false } } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: titles.map(({ title, link }) => ({ text: title, link })),
    socialLinks: [{ icon: "github", link: "https://github.com/hushkit/hushkit" }],
  },
};
