/** What a bundle is called where it is one file: every program opens it as a ZIP. */
export const BUNDLE_NAME = "secret.zip";
