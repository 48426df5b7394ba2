import { createClient } from "../../../client/client.ts";
import { BUNDLE_TYPE } from "../../../tools/bundle/bundle-format.ts";
import { makeBundle } from "../../../tools/bundle/make-bundle.ts";
import { makeSenderKeys } from "../../../tools/crypto/end-to-end.ts";
import { sealFile } from "../../../tools/crypto/file-seal.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { utf8 } from "../../../wire/bytes.ts";

/** Shares a message and a file by one link, as the command line does. Answers the path of the link. */
export async function sendBundle(
  origin: string,
  { message, file }: { message: string; file: { name: string; text: string } },
): Promise<string> {
  const data = utf8(file.text);
  const read = async function* () {
    yield data;
  };
  const { size, pieces } = await makeBundle([{ name: file.name, size: data.length, read }], { message });
  const { inner, fileKey } = await makeSenderKeys({});
  const sealed = sealFile(pieces(), { fileKey, metadata: { name: "", type: BUNDLE_TYPE, size } });
  const client = createClient(origin, { headers: () => ({ "x-forwarded-for": freshIp() }) });
  const { url } = await client.secrets.createFile.mutate({ file: sealed, isEncrypted: true });
  return `${url.slice(origin.length)}.${inner}`;
}
