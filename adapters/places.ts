/** Parts of this program that are started or read by path. A package has another such file: release/places.ts. */
export interface Places {
  /** What paths in a log are relative to. */
  readonly root: URL;
  /** All of the program's own that a worker reads: folders with a slash at their end, and files. */
  readonly code: readonly URL[];
  /** What runs in a worker process, and the modules whose jobs it runs. */
  readonly worker: URL;
  readonly jobs: URL;
  readonly imageJobs: URL;
  /** The folder of the built pages, and the program that builds them and the server, where their sources are. */
  readonly pages: URL;
  readonly pagesBuilder?: URL;
}

export const PLACES: Places = {
  root: new URL("..", import.meta.url),
  // Not the root itself, in which the database can be.
  code: ["./", "../tools/", "../wire/", "../package.json"].map((path) => new URL(path, import.meta.url)),
  worker: new URL("workers/worker.ts", import.meta.url),
  jobs: new URL("../tools/jobs.ts", import.meta.url),
  imageJobs: new URL("workers/image-jobs.ts", import.meta.url),
  pages: new URL("../web/dist/pages/", import.meta.url),
  pagesBuilder: new URL("../release/clone/build.ts", import.meta.url),
};
