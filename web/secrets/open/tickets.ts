import { randomBase62 } from "../../../tools/crypto/base62.ts";

const TICKET_LENGTH = 32;
const PREFIX = "ticket ";

/**
 * The ticket of this tab for what an id names, made where there is none. It is there before anything is claimed, and
 * after a reload or a crash of the tab. It opens nothing by itself: the key is in the link only.
 */
export function ticketFor(id: string): string {
  const known = readTicket(id);
  if (known !== undefined) return known;
  const ticket = randomBase62(TICKET_LENGTH);
  try {
    sessionStorage.setItem(PREFIX + id, ticket);
  } catch {
    // Without storage a lost answer is asked for again, but not after a reload.
  }
  return ticket;
}

/** Whether this tab has asked for it before. */
export function hasTicket(id: string): boolean {
  return readTicket(id) !== undefined;
}

/** Forgets a ticket with which nothing can be had any more. */
export function forgetTicket(id: string): void {
  try {
    sessionStorage.removeItem(PREFIX + id);
  } catch {
    // Nothing was stored.
  }
}

function readTicket(id: string): string | undefined {
  try {
    return sessionStorage.getItem(PREFIX + id) ?? undefined;
  } catch {
    return undefined;
  }
}
