// Where the server begins.
import { holdHeap } from "../adapters/operations/process.ts";

holdHeap();
// Only now, because what it loads would make the heap grow.
await import("./run.ts");
