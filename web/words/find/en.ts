/** What people call the pages in English, besides the words of the pages themselves. */
export const terms = {
  share: "send note message one-time link self-destruct burn",
  ask: "request receive collect inbox drop box",
  open: "read view reveal receive link",
  "pdf-merge": "combine join append concatenate images to pdf jpg to pdf picture scan",
  "pdf-split": "extract separate cut remove delete pages reorder sort",
  "pdf-rotate": "turn pages sideways upside down orientation landscape portrait",
  "pdf-clean": "sanitize metadata remove scripts attachments comments redact flatten repair web",
  "pdf-compress": "shrink reduce size smaller optimize email",
  "pdf-lock": "encrypt protect password permissions",
  "pdf-unlock": "decrypt password remove restrictions open",
  "image-convert":
    "picture photo resize scale shrink compress webp avif jpeg jpg png heic exif gps location strip metadata rotate crop",
  "file-encrypt": "encrypt decrypt unlock password age aes zip key",
  "file-hash": "checksum digest verify integrity sha256 md5 download",
  "text-compare": "diff difference changes patch",
  password: "passphrase random generator pin strength",
  account: "login sign in register settings tokens passkey profile",
  docs: "documentation rest rpc curl developer reference",
  "how-it-works": "security encryption trust privacy explained end-to-end server",
  verify: "trust compare release fingerprint same pages tampered",
  tools: "overview list everything",
};
