export const ROOT = new URL("../", import.meta.url);

/** Where the packages that are to be published are left. */
export const PACKED = new URL("release/dist/packages/", ROOT);

/** The packages of this repository, and the folder that each is packed from. */
export const PACKAGES = {
  "@hushkit/client": "client/",
  "@hushkit/tools": "tools/",
  "@hushkit/trpc": "adapters/trpc/",
  hushkit: "",
} as const;

export type PackageName = keyof typeof PACKAGES;

export const PACKAGE_NAMES = Object.keys(PACKAGES) as PackageName[]; // a constant object has no further keys

/** The packages that are published on JSR too. */
export const JSR_NAMES = ["@hushkit/client", "@hushkit/tools", "@hushkit/trpc"] as const;
