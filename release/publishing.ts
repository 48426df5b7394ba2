export const REFUSAL =
  "Nothing is published without PUBLISH_HUSHKIT=yes, which only the release workflow sets: what it builds has provenance.";

/** Whether whoever runs this has said that packages are to be published. */
export function mayPublish(): boolean {
  return process.env.PUBLISH_HUSHKIT === "yes";
}
