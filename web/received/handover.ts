/** What another program has shared with the pages; the text is empty where there is none. */
export type SharedContent = ReturnType<typeof readShared>;

/** The parameter in the page's address that names what was shared. */
export const SHARED = "shared";

/** The page sends this to the service worker, with a port for the answer. */
export interface Question {
  readonly ask: typeof SHARED;
  readonly name: string | null;
}

/** The page's question, if a message is one. */
export function readQuestion(data: unknown): Question | undefined {
  // Only pages of this origin can send messages here, and only one of them sends this.
  const question = data as Partial<Question> | null;
  return question?.ask === SHARED ? { ask: SHARED, name: question.name ?? null } : undefined;
}

// By the names in the web manifest.
/**
 * Reads the form that a device sends to share something. Text and address arrive separately; a title alone counts as
 * text.
 */
export function readShared(form: FormData) {
  const [title = "", text = "", url = ""] = ["title", "text", "url"].map((name) => textOf(form.get(name)));
  const files = form.getAll("file").filter((value) => value instanceof File);
  const address = text.includes(url) ? "" : url;
  return { files, text: [text, address].filter(Boolean).join("\n") || title };
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}
