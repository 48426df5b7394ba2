import about from "../../package.json" with { type: "json" };

/** The version of this server, from its package. */
export const VERSION = about.version;
