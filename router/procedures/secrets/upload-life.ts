import { forgetClaimedRoom, keepUpload } from "../../../db/uploads/claimed-room.ts";
import { toApiError } from "../../errors/to-api-error.ts";
import { ARRIVING_SECONDS, ARRIVING_SIGN_SECONDS, UPLOAD_SECONDS } from "../../limits.ts";
import { countBrokenUpload } from "../../policy/broken-uploads.ts";
import { returnStorage } from "../../policy/quotas.ts";
import type { Upload } from "./sealed-chunks.ts";

/**
 * Says every few seconds that this process still takes the upload: where it dies, any instance sweeps the rows soon
 * after, and gives back what was claimed. An upload that has stopped is not kept for ever. Call the result at the end.
 */
export function keepAlive({ id, claim, stored, ctx }: Upload, stay?: () => Promise<void>): () => void {
  const { db, now } = ctx.services;
  const tell = () => {
    if (now() - stored.at > UPLOAD_SECONDS) return;
    // Where the database cannot be reached, the upload itself fails with its next rows.
    void keepUpload(db, { id, claim, until: now() + ARRIVING_SECONDS }).catch(() => undefined);
    void stay?.().catch(() => undefined);
  };
  const timer = setInterval(tell, ARRIVING_SIGN_SECONDS * 1000);
  return () => clearInterval(timer);
}

/** The upload is a secret now: what it has claimed stays counted. */
export async function settle({ claim, ctx }: Upload): Promise<void> {
  if (ctx.caller.tier === "anonymous") await forgetClaimedRoom(ctx.services.db, { claim });
}

/** Gives back what was claimed. Bytes that came for nothing count for a caller whose doing that was. */
export async function returnClaims({ claim, ctx, stored, signal }: Upload, error: unknown): Promise<void> {
  const { bytes, ahead } = stored;
  ctx.services.returnRoom(bytes);
  if (ctx.caller.tier === "anonymous") await forgetClaimedRoom(ctx.services.db, { claim });
  await returnStorage(ctx, bytes + ahead);
  const isCallersDoing = signal?.aborted || toApiError(error).status < 500;
  if (isCallersDoing) await countBrokenUpload(ctx, bytes);
}
