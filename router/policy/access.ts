import type { Caller, CallerContext, MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import type { RateName } from "../limits.ts";
import type { Meta } from "../meta.ts";

/** Whether the caller may call a procedure at all. @throws ApiError login_required, session_required */
export function checkAccess(caller: Caller, access: Meta["access"]): void {
  if (access === undefined) return;
  const { via } = asMember(caller);
  if (access === "session" && via !== "session") throw sessionRequired();
}

/** Whether the caller administers this instance. @throws ApiError admin_required */
export function checkAdmin({ isAdmin = false }: MemberCaller): void {
  if (isAdmin) return;
  throw new ApiError("admin_required", "This is for administrators of this instance; your account is none");
}

/** The caller, who has to be a member. @throws ApiError login_required */
export function asMember(caller: Caller): MemberCaller {
  if (caller.tier === "member") return caller;
  throw new ApiError("login_required", "This is for members; log in, or send `Bearer <API_TOKEN>`");
}

interface Offer {
  readonly tool?: Meta["tool"] | undefined;
  readonly ownLogin?: true | undefined;
}
type OfferServices = Pick<Services, "tools" | "embedded">;

/** Whether this instance has a procedure at all. */
export function isOffered({ tool, ownLogin }: Offer, { tools, embedded }: OfferServices): boolean {
  return (tool === undefined || tools.has(tool.name)) && !(ownLogin && embedded);
}

/** The same, for what calls it by its name. @throws ApiError unknown_tool, not_found */
export function checkOffered(offer: Offer = {}, services: OfferServices): void {
  if (isOffered(offer, services)) return;
  if (offer.tool) throw unknownTool([...services.tools]);
  throw new ApiError("not_found", "This instance has no logins of its own; the program around it has");
}

/** There is no tool of the name that was asked for. */
export function unknownTool(tools: readonly string[]): ApiError {
  return new ApiError("unknown_tool", `There is no such tool; the tools are ${tools.join(", ")}`, {
    tools,
  });
}

/** Keeps for members what this instance does not let everybody start. @throws ApiError login_required */
export function checkMayStart(
  { caller, services: { anonymous, limits } }: CallerContext,
  rate: RateName,
): void {
  const { starts } = limits.rates[rate];
  if (caller.tier === "member" || starts === undefined) return;
  if (anonymous === "all" || anonymous === starts) return;
  const what = starts === "tools" ? "use its tools" : "share secrets";
  throw new ApiError(
    "login_required",
    `This instance is for members: log in, or send \`Bearer <API_TOKEN>\`, to ${what}`,
  );
}

function sessionRequired(): ApiError {
  return new ApiError(
    "session_required",
    "An API token can list and revoke secrets and raises limits; log in for everything else in the account",
  );
}
