import { randomBase62 } from "../../tools/crypto/base62.ts";
import type { CollectLink } from "../../wire/links/links.ts";
import { toFailure } from "../api/failure.ts";
import { keepInTab, readTab } from "../app/paths/tab.ts";
import { postCollect } from "./request.ts";

/** An answer that this tab has taken from the server, still encrypted. */
export interface TakenAnswer {
  readonly content: string;
  /** The server keeps the answer for this ticket until it is told that it was received. */
  readonly ticket: string;
  /** How many more are waiting. */
  readonly left: number;
}

const TICKET_LENGTH = 32;
const PREFIX = "tickets ";

/**
 * Takes an answer: one that this tab took before a reload and does not show, or else the oldest waiting one. Each has
 * its own ticket, which is stored before anything is claimed and opens nothing by itself.
 */
export async function takeAnswer(link: CollectLink, shown: readonly TakenAnswer[]): Promise<TakenAnswer> {
  const known = unshownTickets(link.id, shown)[0];
  const ticket = known ?? makeTicket(link.id);
  try {
    return { ticket, ...(await postCollect(link, ticket)) };
  } catch (error) {
    const { code } = toFailure(error);
    // This ticket gives nothing any more, or nothing was claimed with it.
    if (code === "request_closed" || code === "request_open") forgetAnswer(link.id, ticket);
    if (code !== "request_closed" || known === undefined) throw error;
  }
  return takeAnswer(link, shown);
}

/** Whether this tab has taken an answer that it does not show. */
export function hasUnshown(id: string, shown: readonly TakenAnswer[]): boolean {
  return unshownTickets(id, shown).length > 0;
}

/** Deletes the ticket of an answer that was received. */
export function forgetAnswer(id: string, ticket: string): void {
  keepTickets(
    id,
    readTickets(id).filter((each) => each !== ticket),
  );
}

function unshownTickets(id: string, shown: readonly TakenAnswer[]): string[] {
  return readTickets(id).filter((ticket) => shown.every((each) => each.ticket !== ticket));
}

function makeTicket(id: string): string {
  const ticket = randomBase62(TICKET_LENGTH);
  keepTickets(id, [...readTickets(id), ticket]);
  return ticket;
}

function readTickets(id: string): string[] {
  const kept = readTab(PREFIX + id);
  return kept === "" ? [] : kept.split(",");
}

function keepTickets(id: string, tickets: readonly string[]): void {
  keepInTab(PREFIX + id, tickets.join(","));
}
