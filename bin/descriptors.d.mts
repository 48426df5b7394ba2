import type { Stats } from "node:fs";

/** Whether a password may come from this descriptor: it is open for reading, and not the runtime's own. */
export function isGiven(fd: number): boolean;

/** What there is behind an open descriptor; undefined where it is closed. */
export function statDescriptor(fd: number): Stats | undefined;

/** How a descriptor was opened, and the byte that is read next; nothing where it is closed, or this is no Linux. */
export function howOpened(fd: number): { readonly flags?: number; readonly position?: number };
