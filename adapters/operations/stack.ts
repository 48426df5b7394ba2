import { fileURLToPath } from "node:url";
import { PLACES } from "../places.ts";

const MAX_FRAMES = 30;

// "at readPage (file:///srv/tools/pdf/load.ts:12:5)", also without a name, and with "async" or "new" before it.
const PLACE = String.raw`(?:file:\/\/|node:|ext:|\/|[A-Za-z]:\\|native|unknown|<anonymous>|:\d)[^()]*`;
const FRAME = new RegExp(String.raw`^\s+at (?:(?:async )?${PLACE}|[^()]+ \(${PLACE}\))$`);

const ROOT_URL = PLACES.root.href;
const ROOT_PATH = fileURLToPath(ROOT_URL);

/**
 * The name and the stack frames of an error, and nothing that it quotes: a message can hold what a caller sent.
 * Paths are relative to the project.
 */
export function describeError(error: unknown): { name: string; frames: string[] } {
  if (!(error instanceof Error)) return { name: "Error", frames: [] };
  const name = /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : "Error";
  return { name, frames: readFrames(error.stack ?? "", error.message) };
}

// A message of several lines can imitate frames. So the message is cut off where the stack begins with it, and
// of the rest only the last unbroken run of frames counts.
function readFrames(stack: string, message: string): string[] {
  const start = stack.indexOf(message);
  const lines = stack.slice(start < 0 ? 0 : start + message.length).split("\n");
  const frames = lines.slice(lines.findLastIndex((line) => !FRAME.test(line)) + 1);
  return frames.slice(0, MAX_FRAMES).map((line) => line.trim().replace(ROOT_URL, "").replace(ROOT_PATH, ""));
}
