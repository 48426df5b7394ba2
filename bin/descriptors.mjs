// Which file descriptors the caller has opened: another number may be one of the runtime's own, such as the pipe by
// which Node wakes itself. Plain JavaScript, because the launcher reads it on an old Node.
import { fstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

// Of open(2) on Linux.
const ACCESS_MODE = 0o3;
const WRITE_ONLY = 0o1;
const CLOSE_ON_EXEC = 0o2000000;

/** Whether a password may come from this descriptor: it is open for reading, and not the runtime's own. */
export function isGiven(fd) {
  const stat = statDescriptor(fd);
  // Timers and queues of the kernel have no kind.
  const isKnown = stat?.isFile() || stat?.isFIFO() || stat?.isCharacterDevice() || stat?.isSocket();
  if (!isKnown) return false;
  const { flags = 0 } = howOpened(fd);
  if ((flags & ACCESS_MODE) === WRITE_ONLY) return false;
  // What comes over exec never has this flag. Node and Bun set it at their start, so that it says nothing there.
  if (process.versions.deno && (flags & CLOSE_ON_EXEC) !== 0) return false;
  return !(stat.isFIFO() && isOwnPipe(fd));
}

/** What there is behind an open descriptor; undefined where it is closed. */
export function statDescriptor(fd) {
  try {
    // Deno 2.9 only knows descriptors in node:fs that it opened itself.
    return process.versions.deno ? statSync(`/dev/fd/${fd}`) : fstatSync(fd);
  } catch {
    return undefined;
  }
}

/** How a descriptor was opened, and the byte that is read next; nothing where it is closed, or this is no Linux. */
export function howOpened(fd) {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${fd}`, "utf8");
    const [, position] = /^pos:\s*(\d+)/m.exec(info) ?? [];
    const [, flags] = /^flags:\s*(\d+)/m.exec(info) ?? [];
    return { flags: Number.parseInt(flags, 8), position: Number(position) };
  } catch {
    return {};
  }
}

/** Whether this process itself could write to the pipe: then nothing in it is the caller's, and it never ends. */
function isOwnPipe(fd) {
  const pipe = linkOf(fd);
  return others(fd).some((other) => {
    const { flags = 0 } = linkOf(other) === pipe ? howOpened(other) : {};
    return (flags & ACCESS_MODE) !== 0;
  });
}

function others(fd) {
  try {
    return readdirSync("/proc/self/fd").filter((other) => other !== String(fd));
  } catch {
    return [];
  }
}

function linkOf(fd) {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
