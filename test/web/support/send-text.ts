import { createClient } from "../../../client/client.ts";
import { sealForLink } from "../../../tools/crypto/end-to-end.ts";
import { freshIp } from "../../support/fresh-ip.ts";

/**
 * Shares a text without a page, for tests of what comes after it: a page takes a second to open. Answers the path of
 * the link, of what the sender has sealed or, if so asked, the server.
 */
export async function sendText(origin: string, text: string, { byServer = false } = {}): Promise<string> {
  const client = createClient(origin, { headers: () => ({ "x-forwarded-for": freshIp() }) });
  const { inner, fields } = await sealForLink(text, {});
  const { url } = await client.secrets.create.mutate(byServer ? { content: text } : fields);
  return url.slice(origin.length) + (byServer ? "" : `.${inner}`);
}
