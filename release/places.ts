import type { Places } from "../adapters/places.ts";

// Stands for adapters/places.ts in the built package, all of whose files are in one folder.
export const PLACES: Places = {
  root: new URL("..", import.meta.url),
  code: ["./", "../package.json"].map((path) => new URL(path, import.meta.url)),
  worker: new URL("worker.js", import.meta.url),
  jobs: new URL("jobs.js", import.meta.url),
  imageJobs: new URL("image-jobs.js", import.meta.url),
  pages: new URL("pages/", import.meta.url),
};
