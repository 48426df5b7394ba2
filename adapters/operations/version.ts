import about from "../../package.json" with { type: "json" };

/** The version of this server, as its package says it. */
export const VERSION = about.version;
