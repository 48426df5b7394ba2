import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import type { Runtime } from "../../test/support/runtimes.ts";

/** A runtime whose processes have only so much memory together, as in a container. */
export interface LimitedRuntime {
  readonly runtime: Runtime;
  /** How many of them the kernel has ended for want of memory. */
  readonly kills: () => number;
  /** Ends what is left of them. */
  readonly remove: () => Promise<void>;
}

const V1 = "/sys/fs/cgroup/memory";
const V2 = "/sys/fs/cgroup";

/** Puts a runtime into a control group of its own (cgroups 1 or 2), for which it takes the rights of root. */
export function limitMemory({ name, command, args }: Runtime, mebibytes: number): LimitedRuntime {
  const isV1 = existsSync(`${V1}/memory.limit_in_bytes`);
  const group = `${isV1 ? V1 : V2}/hushkit-bench-${process.pid}-${name}`;
  mkdirSync(group, { recursive: true });
  writeFileSync(`${group}/${isV1 ? "memory.limit_in_bytes" : "memory.max"}`, String(mebibytes * 2 ** 20));
  const enter = `echo $$ > ${group}/cgroup.procs && exec "$0" "$@"`;
  const events = `${group}/${isV1 ? "memory.oom_control" : "memory.events"}`;
  return {
    runtime: { name, command: "/bin/sh", args: ["-c", enter, command, ...args] },
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, "utf8"))?.[1] ?? 0),
    remove: () => removeGroup(group),
  };
}

// A worker of a server that was killed goes on until its job ends.
async function removeGroup(group: string): Promise<void> {
  for (const line of readFileSync(`${group}/cgroup.procs`, "utf8").split("\n"))
    if (line !== "") process.kill(Number(line), "SIGKILL");
  while (readFileSync(`${group}/cgroup.procs`, "utf8") !== "")
    await new Promise((resolve) => setTimeout(resolve, 100));
  rmdirSync(group);
}
