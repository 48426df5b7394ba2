// `npm run packages`: afterwards `npm pack` and `npm pack --workspace client` have something to pack.
import { buildPackages } from "./build.ts";
import { ROOT } from "./packages.ts";

await buildPackages(ROOT);
