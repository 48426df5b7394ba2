import { decodeChecksums, readChecksums } from "../../tools/hash/checksum-text.ts";
import { runHere, type Control } from "../work/run.ts";

/** The result for a file: how it compares with a list, or its digest where there is none. */
export interface CheckedFile {
  readonly name: string;
  readonly verdict: "matches" | "differs" | "unlisted" | "missing" | "digest";
  /** SHA-256 in hexadecimal, where there is no list. */
  readonly digest?: string;
}

const MAX_LIST_BYTES = 1_000_000;
const LIST_NAME = /sums?(?:\.txt)?$|\.(?:md5|sha\d+|b2|b3|blake3|sums?)$/i;

/** The checksum list among the chosen files, if there is one, and the others. */
export async function takeList(
  files: readonly File[],
): Promise<{ readonly list: string | undefined; readonly others: readonly File[] }> {
  const found = files.find(({ name, size }) => LIST_NAME.test(name) && size <= MAX_LIST_BYTES);
  const data = await found?.arrayBuffer().catch(() => undefined);
  const text = data && decodeChecksums(new Uint8Array(data));
  if (!found || text === undefined || namesIn(text).length === 0) return { list: undefined, others: files };
  return { list: text, others: files.filter((file) => file !== found) };
}

/**
 * Computes digests one after another and compares each with the line for its name. Reports files that are listed and
 * were not chosen, and those that were chosen and are not listed.
 */
export async function checkFiles(
  files: readonly File[],
  list: string,
  control: Control,
): Promise<readonly CheckedFile[]> {
  const names = list === "" ? [] : namesIn(list);
  const listed = new Set(names.map(baseName));
  const checked: CheckedFile[] = [];
  for (const [i, file] of files.entries()) {
    const { name } = file;
    const onProgress = (part = 0) => control.onProgress((i + part) / files.length);
    const isListed = listed.has(baseName(name));
    const expected = isListed ? { expected: list, filename: name } : { expected: undefined };
    if (list !== "" && !isListed) checked.push({ name, verdict: "unlisted" });
    else {
      const args = [file, { algorithms: ["sha256"] as const, ...expected }] as const;
      const { matches, digests } = await runHere("hashFile", [...args], { ...control, onProgress });
      if (isListed) checked.push({ name, verdict: matches ? "matches" : "differs" });
      else checked.push({ name, verdict: "digest", digest: digests.sha256 ?? "" });
    }
  }
  const chosen = new Set(files.map(({ name }) => baseName(name)));
  const missing = names.filter((name) => !chosen.has(baseName(name)));
  return [...checked, ...missing.map((name) => ({ name, verdict: "missing" }) as const)];
}

function namesIn(list: string): string[] {
  try {
    return readChecksums(list).flatMap(({ name }) => name ?? []);
  } catch {
    // Not a list; what is wrong with a checksum is reported when it is compared.
    return [];
  }
}

function baseName(name: string): string {
  return name.normalize("NFC").replace(/^.*[/\\]/s, "");
}
