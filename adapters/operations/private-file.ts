import process from "node:process";

/**
 * What is wrong with the mode of a file that holds a secret, behind its name in a sentence; undefined where it is its
 * owner's alone.
 */
export function tellOpenToOthers(file: string, mode: number): string | undefined {
  // Windows has no such modes.
  if (process.platform === "win32" || (mode & 0o077) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return `is open to others (its mode is ${shown}); mend that with: chmod 600 ${quoted(file)}`;
}

// A shell takes what is between these as it stands.
function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`;
}
