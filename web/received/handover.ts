/** What another program has shared with the pages. */
export interface SharedContent {
  readonly files: readonly File[];
  /** Empty without one. */
  readonly text: string;
}

/** The parameter of the page's address that names what was shared. */
export const SHARED = "shared";

/** The page asks the service worker with this, and a port for the answer. */
export interface Question {
  readonly ask: typeof SHARED;
  readonly name: string | null;
}

/** What a page has sent, if it is a question. */
export function readQuestion(data: unknown): Question | undefined {
  // Only pages of this origin can send something here; of these, only one sends this.
  const question = data as Partial<Question> | null;
  return question?.ask === SHARED ? { ask: SHARED, name: question.name ?? null } : undefined;
}

// By the names in the web manifest.
/** Reads the form in which a device shares. A text and its address come apart; a title alone is a text, too. */
export function readShared(form: FormData): SharedContent {
  const [title = "", text = "", url = ""] = ["title", "text", "url"].map((name) => textOf(form.get(name)));
  const files = form.getAll("file").filter((value) => value instanceof File);
  const address = text.includes(url) ? "" : url;
  return { files, text: [text, address].filter(Boolean).join("\n") || title };
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}
