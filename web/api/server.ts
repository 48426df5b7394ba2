import { createClient } from "../../client/client.ts";
import { SERVER_URL } from "../app/base.ts";

/** The typed client of the server that sent this page. */
export const server = createClient(SERVER_URL);

/** The bytes of a file, as the typed client sends them. */
export async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer());
}
