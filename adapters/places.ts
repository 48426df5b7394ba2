/** Parts of this program that are started or read by their path. A package has release/places.ts instead. */
export interface Places {
  /** The folder that paths in a log are relative to. */
  readonly root: URL;
  /** Everything of the program that a worker reads: folders with a slash at their end, and files. */
  readonly code: readonly URL[];
  /** What runs in a worker process, and the modules with its jobs. */
  readonly worker: URL;
  readonly jobs: URL;
  readonly imageJobs: URL;
  /** The folder of the built pages. */
  readonly pages: URL;
  /** The program that builds pages and server; a package, which has no sources, has none. */
  readonly pagesBuilder?: URL;
}

export const PLACES: Places = {
  root: new URL("..", import.meta.url),
  // Not the root itself, which may contain the database.
  code: ["./", "../tools/", "../wire/", "../package.json"].map((path) => new URL(path, import.meta.url)),
  worker: new URL("workers/worker.ts", import.meta.url),
  jobs: new URL("../tools/entries/jobs.ts", import.meta.url),
  imageJobs: new URL("workers/image-jobs.ts", import.meta.url),
  pages: new URL("../web/dist/pages/", import.meta.url),
  pagesBuilder: new URL("../release/clone/build.ts", import.meta.url),
};
