import { PLACE, type ErrorField } from "./error-fields.ts";

/** Codes about callers and credentials: logins, ways into an account, passphrases. */
export const ACCESS_ERRORS = {
  invalid_token: { status: 401, description: "The API token is unknown, expired or revoked.", fields: [] },
  login_required: {
    status: 401,
    description: "Only members can do this; log in or send an API token.",
    fields: [],
  },
  second_factor_required: {
    status: 401,
    description:
      "The password was right, and a code is needed too; or this server wants a second factor set up first.",
    fields: PLACE,
  },
  password_change_required: {
    status: 403,
    description: "An administrator has set the password; it has to be changed before anything else.",
    fields: [],
  },
  password_expired: {
    status: 403,
    description:
      "An administrator has set password and recovery code more than a day ago, and they were not used.",
    fields: [],
  },
  recovery_wait: {
    status: 403,
    description: "The recovery code has just set the password; a second factor can be set up a day later.",
    fields: ["retryAfter"],
  },
  last_way_in: {
    status: 409,
    description: "Nothing else opens the account; set a password or add a passkey first.",
    fields: [],
  },
  second_factor_exists: {
    status: 409,
    description: "The account has an authenticator app already.",
    fields: [],
  },
  passkey_wrong: {
    status: 422,
    description:
      "The passkey is unknown here, or what it signed is late, was used before, or is of another site.",
    fields: [],
  },
  too_many_passkeys: {
    status: 409,
    description: "The account has as many passkeys as it can have; delete one first.",
    fields: ["limit", "value", "unit"],
  },
  hook_address: {
    status: 422,
    description: "The host of the hook leads to a private address, or has no TLS.",
    fields: PLACE,
  },
  hook_unreachable: {
    status: 422,
    description: "The host of the hook could not be reached, or its certificate is not good.",
    fields: PLACE,
  },
  hook_refused: {
    status: 422,
    description: "The receiver has not taken the test call: it answered something else than 2xx.",
    fields: PLACE,
  },
  second_factor_wrong: {
    status: 422,
    description: "The code of the authenticator app is wrong, old, or was used before.",
    fields: PLACE,
  },
  invalid_credentials: {
    status: 401,
    description:
      "No account has this name with this password or recovery code, or what opened it was changed meanwhile.",
    fields: [],
  },
  account_deleted: {
    status: 401,
    description: "The account was deleted while the request was running.",
    fields: [],
  },
  passphrase_required: {
    status: 403,
    description: "The secret has a passphrase; send it.",
    fields: ["parameter"],
  },
  wrong_passphrase: {
    status: 403,
    description: "The passphrase is wrong.",
    fields: ["parameter", "attemptsLeft"],
  },
  admin_required: {
    status: 403,
    description: "Only administrators of this server can do this.",
    fields: [],
  },
  account_disabled: {
    status: 403,
    description: "An administrator has disabled the account; nothing of it was deleted.",
    fields: [],
  },
  own_account: {
    status: 409,
    description:
      "Administrators cannot disable, reset or delete the account that they are logged in to, and the last one stays.",
    fields: [],
  },
  session_required: { status: 403, description: "An API token is not enough for this; log in.", fields: [] },
  hooks_closed: {
    status: 403,
    description: "This server calls no hooks of members; its operator names hosts for them in NOTIFY_HOSTS.",
    fields: [],
  },
  registration_closed: {
    status: 403,
    description: "Only the administrator creates accounts on this server.",
    fields: [],
  },
  passwords_off: {
    status: 403,
    description: "This server takes no passwords; log in with the organization's account.",
    fields: [],
  },
  oidc_failed: {
    status: 400,
    description:
      "What came back from the organization's login was late, was used before, or had been changed.",
    fields: [],
  },
  oidc_refused: {
    status: 403,
    description: "The organization's account may not log in here; the sentence says what it lacks.",
    fields: [],
  },
  oidc_unavailable: {
    status: 503,
    description: "The organization's login does not answer.",
    fields: ["retryAfter"],
  },
  identity_taken: {
    status: 409,
    description: "The organization's account belongs to another member here.",
    fields: [],
  },
} as const satisfies Record<string, { status: number; description: string; fields: readonly ErrorField[] }>;
