// Nobody's: they open nothing.
const ID = "q7Zk2PfW0LxT8nBy";
const KEY = "3mJrV9aQeXcT5uWzHs0KdL";
const TOKEN = "5xG0rNhS8vLcQ2eWfYk7ZbJt1UdMpA4i";
const BASE64URL = "J-SSF_KnrBkBQz4KjA5AUr3VCslbOjvK7o0EHK84LUA";
const LINK = `https://hush.example/s/${ID}#${KEY}`;
const CONTENT = "The password of the guest network is hunter2";
const GENERATED = "nQ4vT7mWc2RkZ8sLx5Bd";
const LOGIN_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const [TIME, LATER] = ["2026-11-25T02:12:09.000Z", "2026-11-26T02:12:09.000Z"];
const ENDPOINT = {
  ...{ name: "password", title: "Password", summary: "Generate passwords", path: "/api/tools/password" },
  ...{ methods: ["GET", "POST"], rpc: "/trpc/tools.password", parameters: [{ name: "length" }] },
  ...{ statuses: [200, 400, 401, 429, 500, 503], example: "curl $URL/api/tools/password" },
};
const CALLS = { calls: { value: 60, window: 900, unit: "calls" } };
const PASSKEY = { id: BASE64URL, type: "public-key", response: {} };

/** By the tool that makes them: the name and type of its file. */
const ENVELOPES = {
  PdfLock: ["pdf-lock", "locked.pdf", "application/pdf"],
  PdfUnlock: ["pdf-unlock", "unlocked.pdf", "application/pdf"],
  PdfMerge: ["pdf-merge", "merged.pdf", "application/pdf"],
  PdfSplit: ["pdf-split", "pages.zip", "application/zip"],
  PdfRotate: ["pdf-rotate", "rotated.pdf", "application/pdf"],
  PdfClean: ["pdf-clean", "cleaned.pdf", "application/pdf"],
  PdfCompress: ["pdf-compress", "compressed.pdf", "application/pdf"],
  ImageConvert: ["image-convert", "image.webp", "image/webp"],
  FileEncrypt: ["file-encrypt", "report.pdf.locked", "application/octet-stream"],
} as const;

/**
 * What stands in the examples: for a name, for a name in one schema ("Schema.name"), and for the bare text of an operation.
 * A name means the same wherever it is, so that most need no more than one.
 */
export const SAMPLES: Readonly<Record<string, unknown>> = {
  ...{ id: ID, key: KEY, url: LINK, revokeToken: TOKEN, collectToken: TOKEN, ticket: TOKEN, gate: BASE64URL },
  ...{ content: CONTENT, length: CONTENT.length, size: 48_211, sizeBefore: 96_422, pages: 12, count: 1 },
  ...{ created: TIME, lastUsed: TIME, expiry: LATER, name: "ann", password: "correct horse battery staple" },
  ...{ newPassword: "another horse battery staple", recoveryCode: "K7QW-M3ZD-PX4C-7TFH-2RVB-6JNY-KD" },
  ...{ code: "492039", prefix: "service_token_012345", challenge: BASE64URL, warnings: [], removed: [] },
  ...{ token: "service_token_0123456789ABCDEFGHIJKLMNOPQRSTUV4OZVgp", secret: LOGIN_SECRET },
  uri: `otpauth://totp/Hushkit:ann?secret=${LOGIN_SECRET}&issuer=Hushkit`,
  ...{ file: "(the bytes of the file)", "file[]": "(the bytes of a file)", filename: "report.pdf" },
  ...{
    data: "JVBERi0xLjcK",
    a: "one\ntwo\n",
    b: "one\nthree\n",
    rotated: 12,
    images: 3,
    width: 1200,
    height: 800,
  },
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  requestId: "0d9c7c1e-7a43-4a0c-9a52-ceb706dcf46a",
  sourceFormat: "png",
  "FileHashResult.digests": { sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
  "PasswordResult.passwords": [GENERATED],
  "PasswordResult.entropyBits": 119.1,
  "TextCompareResultStats.equal": 1,
  "TextCompareResultStats.deleted": 1,
  "TextCompareResultStats.inserted": 1,
  provider: "ACME",
  "PdfMergeInputFile.name": "cover.pdf",
  "PdfMergeEnvelopeFile.taken": 6,
  "CatalogueResult.tools": [ENDPOINT],
  "CatalogueResult.endpoints": [
    { ...ENDPOINT, name: "instance", path: "/api/instance", rpc: "/trpc/instance" },
  ],
  "CatalogueResult.limits": { calls: { ...CALLS.calls, remaining: 57, reset: 412 } },
  "CatalogueResultTiers.anonymous": CALLS,
  "CatalogueResultTiers.member": { calls: { ...CALLS.calls, value: 600 } },
  "CatalogueResultPageRange.grammar": 'range = item *( "," item )',
  "CatalogueResultPageRange.notes": ["end is the last page"],
  "CatalogueResultPageRange.pages": 10,
  "CatalogueResultPageRange.examples": [{ range: "5-end-2", selects: [5, 6, 7, 8] }],
  "CatalogueResult.errors": [{ code: "invalid_range", status: 400, description: "…", fields: ["parameter"] }],
  "InstanceResult.name": "Hushkit",
  "InstanceResult.version": "1.0.0",
  "InstanceResult.tools": ["password"],
  "InstanceResultLimits.secretLength": 50_000,
  "InstanceResultLimits.secretFileSize": 26_214_400,
  "InstanceResultLimits.secretExpires": 604_800,
  "InstanceResultLimits.secretExpiresDefault": 86_400,
  "RequestsCreateResult.url": `https://hush.example/r/${ID}`,
  "RequestsAnswerInput.content": `r1.${"A".repeat(60)}`,
  "RequestsAnswerResult.status": "answered",
  "RequestsCollectResult.content": `r1.${"A".repeat(60)}`,
  "SecretsRevokeResult.status": "revoked",
  "SecretsRevokeOwnResult.status": "revoked",
  "RequestsCancelResult.status": "cancelled",
  "RequestsCancelOwnResult.status": "cancelled",
  ...Object.fromEntries(
    ["SecretsRevoke", "SecretsRevokeOwn", "RequestsCancel", "RequestsCancelOwn"].map((each) => [
      `${each}Result.closed`,
      TIME,
    ]),
  ),
  "AdminDisableMemberResult.disabled": TIME,
  "AdminCountersResult.version": "1.0.0",
  "AdminCountersResultTool.tool": "password",
  "TokensCreateInput.name": "backup job",
  "AccountAddPasskeyInput.name": "Laptop",
  "AccountAddPasskeyInput.response": PASSKEY,
  "AccountPasskeyLoginInput.response": PASSKEY,
  ...Object.fromEntries(
    Object.entries(ENVELOPES).flatMap(([owner, [tool, name, type]]) => [
      [`${owner}Envelope.tool`, tool],
      [`${owner}Envelope.name`, name],
      [`${owner}Envelope.type`, type],
    ]),
  ),
  "secrets-create-raw": `${LINK}\n`,
  "secrets-createFile-raw": `${LINK}\n`,
  "secrets-reveal-raw": CONTENT,
  "tools-password-raw": `${GENERATED}\n`,
  "tools-password-get-raw": `${GENERATED}\n`,
  "secrets-create-at-root": CONTENT,
  "secrets-create-at-secret": CONTENT,
};

/** Names that an example has though they are not required. */
export const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  SecretsCreateInput: ["expires"],
  SecretsStatusInput: ["key"],
  RequestsStatusInput: ["gate"],
  PdfMergeInputFile: ["name"],
  PasswordInput: ["length"],
  PdfLockForm: ["password"],
  FileEncryptForm: ["password"],
  AccountDeleteInput: ["password"],
  AccountChangePasswordInput: ["password"],
  AccountBeginTotpInput: ["password"],
  AccountBeginPasskeyInput: ["password"],
  AccountEndTotpInput: ["code"],
};
