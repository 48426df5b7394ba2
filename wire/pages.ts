interface PageFacts {
  readonly icon: string;
  /** The group in the navigation; pages without one are reached by links only. */
  readonly group?: "Secrets" | "PDF" | "Files" | "Text" | "Service";
  /** Which results of other pages it can continue with: a media type or a family of them. */
  readonly takes?: "application/pdf" | "image/*" | "*/*";
}

/**
 * Every page by the name of its file in web/pages, in the order of the navigation. The server's routes, the browser's
 * router, the navigation, and where a page's result can be used next follow from this record.
 */
export const PAGE_FACTS = {
  share: { icon: "share", group: "Secrets", takes: "*/*" },
  ask: { icon: "ask", group: "Secrets" },
  open: { icon: "open", group: "Secrets" },
  "pdf-merge": { icon: "merge", group: "PDF", takes: "application/pdf" },
  "pdf-split": { icon: "split", group: "PDF", takes: "application/pdf" },
  "pdf-rotate": { icon: "rotate", group: "PDF", takes: "application/pdf" },
  "pdf-clean": { icon: "clean", group: "PDF", takes: "application/pdf" },
  "pdf-compress": { icon: "compress", group: "PDF", takes: "application/pdf" },
  "pdf-lock": { icon: "shield", group: "PDF", takes: "application/pdf" },
  // A file that was just locked is meant to stay so.
  "pdf-unlock": { icon: "unlock", group: "PDF" },
  "image-convert": { icon: "image", group: "Files", takes: "image/*" },
  "file-encrypt": { icon: "lock", group: "Files", takes: "*/*" },
  "file-hash": { icon: "hash", group: "Files", takes: "*/*" },
  "text-compare": { icon: "compare", group: "Text" },
  password: { icon: "key", group: "Text" },
  account: { icon: "person", group: "Service" },
  docs: { icon: "code", group: "Service" },
  "how-it-works": { icon: "eye", group: "Service" },
  verify: { icon: "shield", group: "Service" },
  members: { icon: "person" },
  tools: { icon: "menu" },
  received: { icon: "download" },
} as const satisfies Record<string, PageFacts>;

export type PageName = keyof typeof PAGE_FACTS;

/** All page names. The cast is safe: the object has exactly the keys of its type. */
export const PAGE_NAMES = Object.keys(PAGE_FACTS) as PageName[];

const TOOL_GROUPS: readonly (string | undefined)[] = ["PDF", "Files", "Text"];

/** The pages of the tools, each named after its tool. */
export const TOOL_NAMES: readonly PageName[] = PAGE_NAMES.filter((name) => {
  const facts: PageFacts = PAGE_FACTS[name];
  return TOOL_GROUPS.includes(facts.group);
});

/** The pages whose words every page loads, because people open them first. */
export const FIRST_PAGES: readonly PageName[] = [...(["share", "ask", "open", "tools"] as const), "received"];

/** The path of a page, below the base path. */
export function pathOf(name: PageName): string {
  return name === "share" ? "/" : `/${name}`;
}
