/** What the reference of the API says in English. */
export const docs = {
  docs: {
    lead: "Everything these pages can do, for scripts and programs. No account is needed; a token raises the limits.",
    loading: "Loading the reference…",
    openapi: "OpenAPI 3.1 document",
    catalogue: "Catalogue with your limits",
    rpc: "The same procedures are available as typed RPC at {path}.",
    limits: "Your limits now",
    asMember: "As a member.",
    asGuest: "Without an account.",
    units: "On all pages, 1 kB is 1,024 bytes, and 1 MB is 1,024 kB.",
    limitNames: {
      calls: "Tool calls",
      concurrentCalls: "Simultaneous tool calls",
      fileSize: "Size of a file",
      totalSize: "Size of all files of a call",
      pixels: "Pixels of an image, in all frames",
      secretLength: "Characters of a secret",
      secretExpires: "Lifetime of a secret",
      secretCreates: "New secrets",
      secretReads: "Opening and checking secrets",
    },
    upTo: "up to {value}",
    inWindow: "{value} in {window}",
    left: "{value}, {remaining} left now",
    body: "Body:",
    parameters: "Parameters",
    bodyFields: "Fields of the body",
    answer: "Response {status}:",
    answerKeys: "Keys of the JSON response",
    failures: "Errors",
    required: "required",
    default: "Default: {value}.",
  },
};

/** What a language has to say there. */
export type DocsWords = typeof docs;
