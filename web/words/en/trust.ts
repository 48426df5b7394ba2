/** What says why the service can be trusted, in English. */
export const trust = {
  trust: {
    title: "Sealed here, opened once",
    verifiable: "Every release can be checked, byte for byte.",
    journey: {
      sealed: {
        title: "Sealed here",
        text: "Your browser encrypts it before it leaves. The server never has the key.",
      },
      sent: {
        title: "Sent as a link",
        text: "Loading the page opens nothing, nor does a preview in a chat.",
      },
      opened: {
        title: "Opened once",
        text: "By whoever has the link first. Then it is gone, and you see that.",
      },
    },
  },
};

/** What a language has to say there. */
export type TrustWords = typeof trust;
