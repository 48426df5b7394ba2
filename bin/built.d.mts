/** Where servers are built: in the clone, so that they find its libraries. */
export const SERVERS: string;

/** The folder of the server that is built of exactly these sources, whether it is there or not. */
export function serverFolder(): string;

/** The program of that server, where it is whole and its pages are there too. */
export function builtServer(): string | undefined;
