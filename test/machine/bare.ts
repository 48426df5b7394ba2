// The whole suite as on a machine that has Node, npm and nothing else that a test may use.
import { spawnSync } from "node:child_process";
import { bareEnvironment, makeBarePath } from "./bare-path.ts";
import { nodePath } from "../support/runtimes.ts";

const { folder, remove } = makeBarePath();
const args = ["test/run.ts", ...process.argv.slice(2)];
const { status } = spawnSync(nodePath(), args, { stdio: "inherit", env: bareEnvironment(folder) });
remove();
process.exitCode = status ?? 1;
