// A small service on @hushkit/trpc: notes with attachments, over REST and as typed calls, described by a document.
import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import { bytes, createTrpcServer, type AdapterMeta } from "../adapters/trpc/index.ts";

interface Note {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  attachment?: { readonly name: string; readonly data: Uint8Array<ArrayBuffer> };
}

const t = initTRPC.context<{ notes: Map<string, Note> }>().meta<AdapterMeta>().create();
const id = z.string().describe("The note's id");
const note = z.object({ id, text: z.string(), tags: z.array(z.string()), attachment: z.string().nullable() });

function shown({ id, text, tags, attachment }: Note) {
  return { id, text, tags: [...tags], attachment: attachment?.name ?? null };
}

function find(notes: Map<string, Note>, id: string): Note {
  const found = notes.get(id);
  if (!found) throw new TRPCError({ code: "NOT_FOUND", message: "There is no such note" });
  return found;
}

export const notesRouter = t.router({
  add: t.procedure
    .meta({
      openapi: { method: "POST", path: "/api/notes", summary: "Write a note" },
      http: { body: "fields", result: "json", status: 201 },
    })
    .input(z.object({ text: z.string().min(1).max(1000), tags: z.array(z.string()).default([]) }))
    .output(note)
    .mutation(({ ctx: { notes }, input }) => {
      const added: Note = { id: crypto.randomUUID(), ...input };
      notes.set(added.id, added);
      return shown(added);
    }),
  list: t.procedure
    .meta({ openapi: { method: "GET", path: "/api/notes", summary: "List the notes" } })
    .input(z.object({ tag: z.string().optional(), limit: z.int().min(1).max(100).default(20) }))
    .output(z.object({ notes: z.array(note) }))
    .query(({ ctx: { notes }, input: { tag, limit } }) => {
      const found = [...notes.values()].filter(({ tags }) => tag === undefined || tags.includes(tag));
      return { notes: found.slice(0, limit).map(shown) };
    }),
  attach: t.procedure
    .meta({
      openapi: { method: "POST", path: "/api/notes/{id}/attachment", summary: "Attach a file" },
      http: { body: "file", result: "json" },
    })
    .input(z.object({ id, filename: z.string().max(255).default("attachment"), file: bytes() }))
    .output(note)
    .mutation(({ ctx: { notes }, input }) => {
      const found = find(notes, input.id);
      found.attachment = { name: input.filename, data: input.file };
      return shown(found);
    }),
  attachment: t.procedure
    .meta({
      openapi: { method: "GET", path: "/api/notes/{id}/attachment", summary: "Take the attachment" },
      http: { body: "none", result: "file" },
    })
    .input(z.object({ id }))
    .output(z.object({ name: z.string(), data: bytes() }))
    .query(({ ctx: { notes }, input }) => {
      const { attachment } = find(notes, input.id);
      if (attachment) return attachment;
      throw new TRPCError({ code: "NOT_FOUND", message: "This note has no attachment" });
    }),
});

/** What answers requests, with notes that live as long as the process. */
export function createNotes() {
  const notes = new Map<string, Note>();
  const openApi = { path: "/api/openapi.json", info: { title: "Notes", version: "1.0.0" } };
  return createTrpcServer({ router: notesRouter, createContext: () => ({ notes }), openApi, cors: true });
}
