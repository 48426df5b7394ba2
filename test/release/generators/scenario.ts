/** One call, as source text: the same for every generator but for how its clients are called. */
export interface Step {
  /** Operation id. */
  readonly call: string;
  /** The name that its result has in what follows. */
  readonly as?: string;
  /** The id in the path. */
  readonly id?: string;
  readonly query?: string;
  readonly headers?: string;
  readonly body?: string;
  /** The fields of a form, where a generator can send one instead of the body, with the same query. */
  readonly form?: string;
  /** What must be true of the result; reading it shows that it has a type. */
  readonly check?: string;
  /** The status and code that it fails with. */
  readonly fails?: readonly [status: number, code: string];
}

const ACCOUNT = 'name, password: "correct horse battery"';
/** The caller's own: what it names is kept for it until it says `received`. */
const TICKET = "0123456789abcdefghijABCDEFGHIJ01";
const isPdf = (name: string) => `${name}.size > 100`;
const isEnvelope = (name: string) => `${name}.encoding === "base64" && ${name}.data.length > 100`;

/** Whoever calls here is a member like others. */
const NO_ADMIN = [403, "admin_required"] as const;

/** Calls every operation, each at least once. `files` has what is sent, `name` an account's name. */
export const STEPS: readonly Step[] = [
  {
    call: "account-register",
    as: "member",
    body: `{ ${ACCOUNT} }`,
    check: "member.recoveryCode.length > 20",
  },
  { call: "account-me", as: "me", check: "me.hasRecoveryCode && new Date(me.created) > new Date(0)" },

  { call: "instance", as: "about", check: `about.name === "Hushkit" && about.login.includes("password")` },
  { call: "account-beginTotp", as: "totp", check: "totp.secret.length === 32" },
  { call: "account-confirmTotp", body: `{ code: "abcdef" }`, fails: [422, "second_factor_wrong"] },
  {
    call: "account-endTotp",
    as: "totpEnded",
    body: `{ password: "correct horse battery" }`,
    check: "totpEnded.ended",
  },
  { call: "account-passkeys", as: "passkeys", check: "passkeys.passkeys.length === 0" },
  { call: "account-beginPasskey", as: "creation", body: "{}", check: "creation.challenge.length > 20" },
  {
    call: "account-addPasskey",
    body: `{ name: "Laptop", response: { id: "AAAA", type: "public-key", response: {} } }`,
    fails: [422, "passkey_wrong"],
  },
  { call: "account-deletePasskey", id: `"AAAA"`, body: "{}", fails: [404, "not_found"] },
  { call: "account-identities", as: "identities", check: "identities.length === 0" },
  { call: "account-beginIdentity", body: "{}", fails: [404, "not_found"] },
  { call: "account-deleteIdentity", id: `"AAAA"`, body: "{}", fails: [404, "not_found"] },
  { call: "admin-members", fails: NO_ADMIN },
  { call: "admin-counters", fails: NO_ADMIN },
  { call: "admin-addMember", body: `{ name: "somebody" }`, fails: NO_ADMIN },
  { call: "admin-resetMember", id: `"AAAA"`, body: "{}", fails: NO_ADMIN },
  { call: "admin-disableMember", id: `"AAAA"`, body: "{}", fails: NO_ADMIN },
  { call: "admin-enableMember", id: `"AAAA"`, body: "{}", fails: NO_ADMIN },
  { call: "admin-deleteMember", id: `"AAAA"`, body: `{ secrets: "keep" }`, fails: NO_ADMIN },
  { call: "account-beginPasskeyLogin", as: "wanted", check: "wanted.challenge.length > 20" },
  {
    call: "account-passkeyLogin",
    body: `{ response: { id: "AAAA", type: "public-key", response: {} } }`,
    fails: [422, "passkey_wrong"],
  },

  { call: "tools-catalogue", as: "catalogue", check: "(catalogue.limits.fileSize?.value ?? 0) > 0" },
  {
    call: "tools-pdfLock",
    as: "lockedPdf",
    query: "{ allow: ['print'] }",
    headers: `{ "Tool-Password": "geheim" }`,
    body: "files.pdf",
    check: isPdf("lockedPdf"),
  },
  {
    call: "tools-pdfLock-envelope",
    as: "lockedPdfInside",
    headers: `{ "Tool-Password": "geheim" }`,
    body: "files.pdf",
    check: isEnvelope("lockedPdfInside"),
  },
  {
    call: "tools-pdfUnlock",
    as: "unlocked",
    body: "files.pdf",
    check: isPdf("unlocked"),
    form: "{ file: files.pdf }",
  },
  {
    call: "tools-pdfUnlock-envelope",
    as: "unlockedInside",
    body: "files.pdf",
    check: "unlockedInside.passwordNeeded === false",
  },
  {
    call: "tools-pdfMerge",
    as: "merged",
    body: `{ files: [{ data: files.base64, range: "1" }, { data: files.base64 }] }`,
    form: `{ file: [files.pdf, files.pdf], "range[0]": "1" }`,
    check: isPdf("merged"),
  },
  {
    call: "tools-pdfMerge-envelope",
    as: "mergedInside",
    body: "{ files: [{ data: files.base64 }] }",
    check: "mergedInside.files[0]?.taken === 1",
  },
  {
    call: "tools-pdfSplit",
    as: "split",
    query: `{ mode: "keep", range: "1" }`,
    body: "files.pdf",
    form: "{ file: files.pdf }",
    check: isPdf("split"),
  },
  { call: "tools-pdfSplit-envelope", as: "splitInside", body: "files.pdf", check: isEnvelope("splitInside") },
  {
    call: "tools-pdfRotate",
    as: "rotated",
    query: "{ angle: 90 }",
    body: "files.pdf",
    form: `{ file: files.pdf, range: "1" }`,
    check: isPdf("rotated"),
  },
  { call: "tools-pdfRotate", query: "{ range: '9' }", body: "files.pdf", fails: [422, "page_out_of_range"] },
  {
    call: "tools-pdfRotate-envelope",
    as: "rotatedInside",
    query: "{ angle: 270 }",
    body: "files.pdf",
    check: "rotatedInside.rotated === 1",
  },
  {
    call: "tools-pdfClean",
    as: "cleaned",
    query: "{ remove: ['metadata'] }",
    body: "files.pdf",
    check: isPdf("cleaned"),
  },
  {
    call: "tools-pdfClean-envelope",
    as: "cleanedInside",
    body: "files.pdf",
    check: "cleanedInside.repaired === false && cleanedInside.removed.length >= 0",
  },
  {
    call: "tools-pdfCompress",
    as: "compressed",
    query: "{ dpi: 100, quality: 60 }",
    body: "files.pdf",
    check: isPdf("compressed"),
  },
  {
    call: "tools-pdfCompress-envelope",
    as: "compressedInside",
    body: "files.pdf",
    check: "compressedInside.images === 0 && compressedInside.sizeBefore > 0",
  },
  {
    call: "tools-imageConvert",
    as: "image",
    query: `{ format: "webp" }`,
    body: "files.png",
    form: "{ file: files.png }",
    check: "image.size > 10",
  },
  {
    call: "tools-imageConvert-envelope",
    as: "imageInside",
    query: `{ format: "png" }`,
    body: "files.png",
    check: "imageInside.width > 0",
  },
  {
    call: "tools-textCompare",
    as: "compared",
    body: `{ a: "one\\n", b: "two\\n" }`,
    check: `compared.rows?.[0]?.op === "delete" && compared.rows[0].b === null`,
  },
  {
    call: "tools-fileHash",
    as: "hashed",
    query: `{ algorithms: ["sha256"] }`,
    body: "files.pdf",
    form: "{ file: files.pdf }",
    check: "hashed.digests.sha256?.length === 64",
  },
  {
    call: "tools-password",
    as: "passwords",
    body: "{ count: 2 }",
    check: "passwords.passwords.length === 2",
  },
  { call: "tools-password-get", as: "words", query: `{ mode: "words" }`, check: "words.entropyBits > 20" },
  {
    call: "tools-password-raw",
    as: "lines",
    body: "{ count: 2 }",
    check: `lines.split("\\n").length === 3`,
  },
  {
    call: "tools-password-get-raw",
    as: "line",
    query: `{ mode: "words" }`,
    check: `line.endsWith("\\n")`,
  },
  {
    call: "tools-fileEncrypt",
    as: "locked",
    query: `{ direction: "lock" }`,
    headers: `{ "Tool-Password": "secret" }`,
    body: "files.pdf",
    form: `{ file: files.pdf, password: "secret" }`,
    check: isPdf("locked"),
  },
  {
    call: "tools-fileEncrypt-envelope",
    as: "lockedInside",
    query: `{ direction: "lock" }`,
    headers: `{ "Tool-Password": "secret" }`,
    body: "files.pdf",
    check: `lockedInside.direction === "lock"`,
  },

  {
    call: "secrets-create",
    as: "made",
    body: `{ content: "hush", expires: 3600 }`,
    check: "made.length === 4",
  },
  {
    call: "secrets-create-raw",
    as: "madeLink",
    headers: `{ "Idempotency-Key": "0123456789abcdefghijkl" }`,
    body: `{ content: "hush" }`,
    check: `madeLink.includes("/s/")`,
  },
  {
    call: "secrets-reveal-raw",
    as: "bare",
    id: `/s\\/(\\w+)#/.exec(madeLink)?.[1] ?? ""`,
    body: `{ key: /#(\\w+)/.exec(madeLink)?.[1] ?? "" }`,
    check: `bare === "hush"`,
  },
  {
    call: "secrets-status",
    as: "status",
    id: "made.id",
    body: "{ key: made.key }",
    check: `status.kind === "text"`,
  },
  {
    call: "secrets-reveal",
    as: "revealed",
    id: "made.id",
    body: "{ key: made.key }",
    check: `revealed.content === "hush"`,
  },
  { call: "secrets-reveal", id: "made.id", body: "{ key: made.key }", fails: [410, "secret_gone"] },
  {
    call: "secrets-create-at-root",
    as: "atRoot",
    body: `{ content: "hush" }`,
    check: `atRoot.status === "active"`,
  },
  {
    call: "secrets-revoke",
    as: "revoked",
    id: "atRoot.id",
    body: "{ revokeToken: atRoot.revokeToken }",
    check: `revoked.status === "revoked"`,
  },
  {
    call: "secrets-events",
    as: "secretEvents",
    id: "atRoot.id",
    headers: `{ "Secret-Proof": atRoot.revokeToken }`,
    check: `secretEvents.includes("revoked")`,
  },
  {
    call: "secrets-create-at-secret",
    as: "atSecret",
    body: `{ content: "hush" }`,
    check: "atSecret.isEncrypted === false",
  },
  {
    call: "secrets-list",
    as: "list",
    query: "{ limit: 10 }",
    check: "list.secrets.length === 4 && list.next === null",
  },
  {
    call: "secrets-revokeOwn",
    as: "revokedOwn",
    id: "atSecret.id",
    check: `revokedOwn.status === "revoked"`,
  },
  {
    call: "secrets-createFile",
    as: "file",
    query: `{ filename: "a.pdf" }`,
    body: "files.pdf",
    check: `file.kind === "file" && file.size === files.pdf.size`,
  },
  {
    call: "secrets-createFile-raw",
    as: "fileLink",
    query: `{ filename: "a.pdf" }`,
    body: "files.pdf",
    check: `fileLink.includes("/s/")`,
  },
  {
    call: "secrets-openFile",
    as: "opened",
    id: "file.id",
    headers: `{ "Secret-Ticket": "${TICKET}" }`,
    body: "{ key: file.key }",
    check: "opened.size === files.pdf.size",
  },
  {
    call: "secrets-received",
    as: "received",
    id: "file.id",
    body: `{ key: file.key, ticket: "${TICKET}" }`,
    check: `received.status === "revealed"`,
  },

  {
    call: "requests-create",
    as: "request",
    body: "{ gate: files.gate }",
    check: "request.collectToken.length === 32",
  },
  {
    call: "requests-status",
    as: "asked",
    id: "request.id",
    body: "{ gate: files.gate }",
    check: `asked.status === "open"`,
  },
  {
    call: "requests-events",
    id: `"0123456789abcdef"`,
    headers: `{ "Secret-Proof": files.gate }`,
    fails: [404, "not_found"],
  },
  {
    call: "requests-answer",
    as: "answered",
    id: "request.id",
    body: "{ gate: files.gate, content: files.answer }",
    check: `answered.status === "answered"`,
  },
  {
    call: "requests-collect",
    as: "collected",
    id: "request.id",
    body: `{ collectToken: request.collectToken, ticket: "${TICKET}" }`,
    check: "collected.content === files.answer",
  },
  {
    call: "requests-received",
    as: "receivedAnswer",
    id: "request.id",
    body: `{ collectToken: request.collectToken, ticket: "${TICKET}" }`,
    check: `receivedAnswer.status === "collected"`,
  },
  { call: "requests-create", as: "second", body: "{ gate: files.gate, expires: 60 }" },
  {
    call: "requests-cancel",
    as: "cancelled",
    id: "second.id",
    body: "{ collectToken: second.collectToken }",
    check: `cancelled.status === "cancelled"`,
  },
  { call: "requests-create", as: "several", body: "{ gate: files.gate, answers: 2 }" },
  {
    call: "requests-close",
    as: "closedRequest",
    id: "several.id",
    body: "{ collectToken: several.collectToken }",
    check: `closedRequest.status === "cancelled" && closedRequest.answers === 2`,
  },
  { call: "requests-create", as: "third", body: "{ gate: files.gate }" },
  {
    call: "requests-cancelOwn",
    as: "cancelledOwn",
    id: "third.id",
    query: `{ answers: "keep" }`,
    check: "cancelledOwn.closed !== null",
  },
  { call: "requests-list", as: "requests", check: "requests.requests.length === 4" },

  {
    call: "tokens-create",
    as: "token",
    body: `{ name: "backup", expires: null }`,
    check: "token.expiry === null",
  },
  { call: "tokens-list", as: "tokens", check: "tokens.tokens[0]?.id === token.id" },
  { call: "tokens-current", as: "current", check: `current.name === "backup"` },
  { call: "tokens-revoke", as: "tokenGone", id: "token.id", check: "tokenGone.revoked" },
  { call: "hooks-list", as: "hooks", check: "hooks.hooks.length === 0 && hooks.hosts.length === 1" },
  {
    call: "hooks-create",
    as: "hook",
    body: "{ url: files.hook }",
    check: `hook.form === "standard" && hook.secret !== null`,
  },
  {
    call: "hooks-change",
    as: "hookChanged",
    id: "hook.id",
    body: `{ events: ["secret.locked"] }`,
    check: "hookChanged.events.length === 1 && hookChanged.secret === null",
  },
  { call: "hooks-remove", as: "hookGone", id: "hook.id", check: "hookGone.deleted" },
  { call: "account-login", as: "login", body: `{ ${ACCOUNT} }`, check: "login.name === name" },
  { call: "account-sessions", as: "sessions", check: "sessions.sessions.length === 2" },
  {
    call: "account-endSession",
    as: "ended",
    id: `sessions.sessions.find((each) => !each.isCurrent)?.id ?? ""`,
    check: "ended.ended",
  },
  { call: "account-endOtherSessions", as: "others", check: "others.ended === 0" },
  {
    call: "account-changePassword",
    as: "changed",
    body: `{ password: "correct horse battery", newPassword: "wrong horse battery" }`,
    check: "changed.changed",
  },
  { call: "account-logout", as: "loggedOut", check: "loggedOut.ended" },
  { call: "account-me", fails: [401, "login_required"] },
  {
    call: "account-recover",
    as: "recovered",
    body: `{ ${ACCOUNT}, recoveryCode: member.recoveryCode }`,
    check: "recovered.name === name",
  },
  {
    call: "account-delete",
    as: "deleted",
    body: `{ password: "correct horse battery", secrets: "revoke" }`,
    check: "deleted.deleted",
  },
];
