import type { Answers } from "../../client/client.ts";

type Part<Type> =
  Type extends Uint8Array<infer Memory>
    ? Uint8Array<Memory>
    : Type extends readonly (infer Item)[]
      ? readonly Part<Item>[]
      : Type extends object
        ? { readonly [Name in keyof Type]?: Part<Type[Name]> }
        : Type extends string
          ? string
          : Type extends boolean
            ? boolean
            : Type;

/** Any text. */
const TEXT = "";
/** A text that scripts take as one word, or as a field of CSV: ids, links, tokens, dates. */
const WORD = "word";
const IS_WORD = /^[^\s",\p{C}]+$/u;

const ENDED = { status: WORD, closed: null } as const;
const ROW = { id: WORD, created: WORD, expiry: WORD, ...ENDED } as const;
const HOOK = { id: WORD, host: TEXT } as const;
const MADE_SECRET = { id: WORD, url: WORD, expiry: WORD, revokeToken: WORD } as const;
const FILE = { tool: TEXT, type: TEXT, data: new Uint8Array(), warnings: [{ message: TEXT }] } as const;

/**
 * What the commands read of answers, as examples: null stands for a word or null. What only some servers send is not
 * among it, because a server may be of an earlier or a later version.
 */
const ANSWERS = {
  secrets: {
    create: MADE_SECRET,
    createFile: MADE_SECRET,
    status: { kind: WORD, expiry: WORD, ...ENDED },
    reveal: { content: TEXT },
    revoke: ENDED,
    revokeOwn: ENDED,
    list: { secrets: [ROW], next: null },
  },
  requests: {
    create: { url: WORD, expiry: WORD, collectToken: WORD },
    status: { expiry: WORD, ...ENDED },
    collect: { content: TEXT },
    close: { expiry: WORD, ...ENDED },
    cancel: ENDED,
    cancelOwn: ENDED,
    list: { requests: [ROW], next: null },
  },
  account: { login: { name: TEXT } },
  tokens: {
    create: { token: WORD, expiry: null },
    list: { tokens: [{ id: WORD, prefix: TEXT, name: TEXT, expiry: null, lastUsed: null }] },
  },
  hooks: {
    create: { ...HOOK, secret: null },
    change: { ...HOOK, secret: null },
    list: { hooks: [{ ...HOOK, form: TEXT, events: [TEXT], ended: null }], hosts: [TEXT] },
  },
  tools: {
    catalogue: { limits: {} },
    fileHash: { digests: {} },
    textCompare: { identical: true },
    fileEncrypt: { ...FILE, filename: TEXT },
    imageConvert: FILE,
    pdfClean: FILE,
    pdfCompress: FILE,
    pdfLock: FILE,
    pdfMerge: FILE,
    pdfRotate: FILE,
    pdfSplit: FILE,
    pdfUnlock: FILE,
  },
} as const;

// Each name and type is one of the API's.
ANSWERS satisfies Part<Answers>;

/** Whether an answer has what commands read of it. */
export function isKnownAnswer(path: string, answer: unknown): boolean {
  const example = path
    .split(".")
    .reduce<unknown>((found, name) => (found as Tree | undefined)?.[name], ANSWERS);
  return example === undefined || isLike(answer, example);
}

type Tree = Readonly<Record<string, unknown>>;

function isLike(value: unknown, example: unknown): boolean {
  if (example === null) return value === null || isLike(value, WORD);
  if (example === WORD) return typeof value === "string" && IS_WORD.test(value);
  if (example instanceof Uint8Array) return value instanceof Uint8Array;
  if (Array.isArray(example)) return Array.isArray(value) && value.every((item) => isLike(item, example[0]));
  if (typeof example !== "object") return typeof value === typeof example;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(example).every(([name, part]) => isLike((value as Tree)[name], part));
}
