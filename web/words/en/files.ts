/** What is said of files on all pages, in English. */
export const files = {
  files: {
    pdf: "a PDF",
    pdfs: "PDFs",
    pages: "PDFs or images",
    morePages: "more PDFs or images",
    images: "images",
    any: "a file",
    anyMore: "another file",
    several: "files",
    drop: "Drop or paste {what} here, or",
    choose: "Choose {what}",
    add: "Add {what}",
    dropHint: "Nothing is uploaded unless you choose “On the server”.",
    /** Before the names of files that are of another kind. */
    refused: {
      pdf: "Not a PDF, so left out: {names}",
      image: "Not an image that can be read here, so left out: {names}",
      page: "Neither a PDF nor an image that can be read here, so left out: {names}",
      text: "Not a text, so left out: {names}",
    },
    chooseOther: "Choose another file",
    onlyOne: "This page takes one file at a time, so left out: {names}",
    folders: "A folder cannot be taken, only the files in it: {names}",
    unreadable: "No longer there, or not readable: {names}",
    where: "Where",
    places: { here: "In this browser", server: "On the server" },
    placeHints: {
      here: "Nothing leaves your device.",
      server: "Sent to the server, which keeps it in memory while it works and stores nothing.",
    },
    old: "You have changed something since. Run it again for a new result.",
    next: "Continue with it:",
    suggest: "Suggest a password",
    openLocked: "Open a locked file",
    saveOne: "Save {name}",
    saveAll: "Save all",
    undo: "Back to the files",
    chosen: "Chosen files",
    sendOnce: "Send it once",
  },
  received: {
    lead: "What would you like to do with it? Nothing has been sent anywhere.",
    nothingTitle: "Nothing has arrived",
    nothing:
      "The browser handed nothing over. Share it once more, or choose a page and give it the file there.",
  },
  order: {
    moved: "{name} is now number {number} of {count}",
    up: "Move {name} up",
    down: "Move {name} down",
    remove: "Remove {name}",
  },
};

/** What a language has to say there. */
export type FileWords = typeof files;
