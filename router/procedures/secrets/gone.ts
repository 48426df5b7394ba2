import { basePathOf } from "../../base-path.ts";
import type { SecretRecord } from "../../../db/secrets/secrets.ts";
import type { Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTime, toTimeOrNull } from "../../sql-time.ts";

/** What to send to read a secret of the other kind. */
export function wrongKind(
  { id }: SecretRecord,
  { kind, services }: { kind: "text" | "file"; services: Pick<Services, "publicUrl"> },
): ApiError {
  const path = `${basePathOf(services.publicUrl)}/api/secrets/${id}/${kind === "file" ? "file" : "reveal"}`;
  return new ApiError("wrong_kind", `This secret is a ${kind}: read it with POST ${path}`, { kind, path });
}

/** Only the right key gets this answer. */
export function gone({ status: secretStatus, closedAt }: SecretRecord): ApiError {
  const at = closedAt === null ? "" : ` at ${toTime(closedAt)}`;
  return new ApiError("secret_gone", `This secret can no longer be opened: it was ${secretStatus}${at}`, {
    secretStatus,
    closed: toTimeOrNull(closedAt),
  });
}

export function passphraseRequired(): ApiError {
  return new ApiError("passphrase_required", 'This secret needs a passphrase; send it as "passphrase"', {
    parameter: "passphrase",
  });
}

/** What the work answers; undefined when the secret is gone. @throws whatever else the work throws */
export async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === "secret_gone") return undefined;
    throw error;
  }
}
