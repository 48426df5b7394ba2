/** What explains how secrets are kept, and how the pages are verified, in English. */
export const proof = {
  proof: {
    drawing: {
      seen: "What the server sees: a number, under which it keeps bytes that it cannot read.",
      kept: "What it never sees: the key. Browsers do not send what stands behind the #.",
    },
    how: {
      lead: "What happens between your keyboard and your reader’s screen, and what nobody in between can do.",
      sealed: {
        title: "Sealed in your browser",
        text: "Your browser makes a random key of 256 bits and encrypts with it what you typed and your files, with their names (AES-256-GCM). Only then is anything sent.",
      },
      link: {
        title: "The key is in the link",
        text: "It stands behind the #, which browsers keep to themselves. Whoever runs the server, or takes it, has bytes without a key.",
      },
      once: {
        title: "Opened once",
        text: "Loading the page opens nothing, so previews in chats do no harm. Only the button does: the server gives the bytes to one reader, and tells everybody after that they were opened.",
      },
      gone: {
        title: "Then it is gone",
        text: "For ten minutes the reader’s own tab can ask again, in case the connection breaks. Then the bytes are deleted. What nobody opens is deleted at the time that you chose.",
      },
      knows: {
        title: "What the server knows",
        text: "How large it is, and when it was made and ended. To count calls it keeps a keyed digest of addresses for a while. No content, name of a file, key or password is in any log.",
      },
      cannot: {
        title: "What no server can help with",
        text: "Whoever has the whole link first can open it: add a passphrase, and send it another way. And you rely on the pages that your browser loads. That is why they can be verified.",
      },
    },
    verify: {
      lead: "What encrypts is what this server sends to your browser. So see for yourself that it is what was released.",
      read: {
        title: "See which pages these are",
        text: "The version and the digest over all files of these pages, as they say it themselves at the foot of each page:",
      },
      compare: {
        title: "Compare them from elsewhere",
        text: "From any machine with Node. It fetches every file of these pages and compares it with that of the release:",
      },
      build: {
        title: "Or build them yourself",
        text: "The same source gives the same bytes on every machine. Fetch the source of this version, build it, and compare the digests.",
      },
      limits: {
        title: "What this does not prove",
        text: "A server could send other pages to you than to everybody else. Where that matters, use the command line: it takes no pages from a server.",
      },
    },
  },
};

/** What a language has to say there. */
export type ProofWords = typeof proof;
