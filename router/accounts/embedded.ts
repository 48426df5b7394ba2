import type { EmbeddedUsers, MemberCaller, Services } from "../context.ts";
import { findMember } from "../../db/accounts/members.ts";
import { waitWithin } from "../policy/running-call.ts";
import { memberOf } from "./identities.ts";
import { ApiError } from "../errors/errors.ts";
import { accountDisabled } from "./members.ts";

/** A user of the embedding program, who is a member here. */
interface EmbeddedUser {
  /** Never changes for the same user. */
  readonly id: string;
  readonly name?: string;
  /** Whether the user administers this instance. */
  readonly isAdmin?: boolean;
}

/** Tells who makes a request, by the embedding program's own sessions. */
export type Authenticate = (request: Request) => Promise<EmbeddedUser | undefined> | EmbeddedUser | undefined;

/** The issuer of such users' identities; no OpenID Connect issuer has this name. */
const ISSUER = "embedded";
const MAX_ID_LENGTH = 256;
/** Users whose member is known without a query. */
const REMEMBERED = 10_000;
/** For how long, because another instance may have disabled the member. */
const REMEMBERED_SECONDS = 60;

const RETRY_SECONDS = 5;

/**
 * Finds the members of a program's users, and creates each at the first request. Disabled members may not call at all.
 */
export class RememberedUsers implements EmbeddedUsers {
  readonly #authenticate: Authenticate;
  readonly #members = new Map<string, { readonly id: string; readonly until: number }>();

  constructor(authenticate: Authenticate) {
    this.#authenticate = authenticate;
  }

  /** The member who makes a request; undefined for nobody. */
  async identify(request: Request, services: Services): Promise<MemberCaller | undefined> {
    const user = await this.#ask(request);
    if (user === undefined) return undefined;
    if (typeof user.id !== "string" || user.id === "" || user.id.length > MAX_ID_LENGTH)
      throw new TypeError("The id of a user must be a text of 1 to 256 characters");
    const memberId = await this.#memberOf(user, services);
    return {
      tier: "member",
      via: "session",
      memberId,
      memberName: user.name ?? user.id,
      credentialId: `${ISSUER} ${memberId}`,
      isStrong: true,
      provedAt: services.now(),
      isAdmin: user.isAdmin === true,
    };
  }

  // Without the body, which is for the procedures. The program gets no more time than anything else.
  #ask({ url, headers, signal }: Request): Promise<EmbeddedUser | undefined> {
    const asked = Promise.resolve(this.#authenticate(new Request(url, { headers, signal })));
    return waitWithin(asked, unanswered);
  }

  /** A member who has deleted the account is created again by the next request. */
  forget(memberId: string): void {
    for (const [user, { id }] of this.#members) if (id === memberId) this.#members.delete(user);
  }

  async #memberOf({ id, name }: EmbeddedUser, services: Services): Promise<string> {
    const known = this.#members.get(id);
    if (known && services.now() < known.until) return known.id;
    const claims = { iss: ISSUER, sub: id, preferred_username: name ?? id };
    const { id: member } = await memberOf({ claims, rules: [], admins: [], provider: ISSUER }, services);
    const found = await findMember(services.db, { id: member });
    if (found && found.disabledAt !== null) throw accountDisabled();
    if (this.#members.size >= REMEMBERED) this.#members.clear();
    this.#members.set(id, { id: member, until: services.now() + REMEMBERED_SECONDS });
    return member;
  }
}

function unanswered(): ApiError {
  const message = "The embedding program did not say in time who calls; nothing of this request was kept";
  return new ApiError("overloaded", message, { retryAfter: RETRY_SECONDS });
}
