import type { Places } from "../../adapters/places.ts";

/** Of a server that is built in a clone (release/clone/build.ts): it has the clone's pages. */
export const PLACES: Places = {
  root: new URL("../../../../", import.meta.url),
  code: ["./", "../../../../package.json"].map((path) => new URL(path, import.meta.url)),
  worker: new URL("worker.js", import.meta.url),
  jobs: new URL("jobs.js", import.meta.url),
  imageJobs: new URL("image-jobs.js", import.meta.url),
  pages: new URL("../../../../web/dist/pages/", import.meta.url),
};
