import { z } from "zod";
import {
  deleteHook,
  findHook,
  insertHook,
  listHooks,
  updateHook,
  type Hook,
} from "../../../db/accounts/hooks.ts";
import { countOwn } from "../../../db/accounts/lock-member.ts";
import { isBase62, randomBase62, systemRandom } from "../../../tools/crypto/base62.ts";
import { encodeBase64 } from "../../../wire/base64.ts";
import {
  HOOK_EVENTS,
  HOOK_FORMS,
  MAX_HOOK_URL_LENGTH,
  MAX_HOOKS,
  USUAL_HOOK_EVENTS,
  type HookEvent,
} from "../../../wire/hooks.ts";
import type { Hooks } from "../../accounts/hooks.ts";
import type { CallerContext, MemberCaller, Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { HANDLE_LENGTH, noInput, secretText, time } from "../../schemas.ts";
import { openHookTarget, sealHookTarget, type HookTarget } from "../../instance-key.ts";
import { MAX_HANDLE_LENGTH } from "../../limits.ts";
import { accountMeta } from "../../meta.ts";
import { countCall } from "../../policy/count.ts";
import { repeatable } from "../../policy/once.ts";
import { toTime, toTimeOrNull } from "../../clock.ts";
import { router, sessionProcedure } from "../../trpc.ts";

const hookId = z.string().max(MAX_HANDLE_LENGTH).describe("The hook's id");
const hookEvent = z.enum(HOOK_EVENTS);

const fields = {
  url: secretText("Where to call: https, at one of the hosts").min(1).max(MAX_HOOK_URL_LENGTH),
  form: z
    .enum(HOOK_FORMS)
    .describe("standard: signed JSON (docs/webhooks.md); the others are sentences for these services"),
  events: z.array(hookEvent).min(1).max(HOOK_EVENTS.length),
};

const described = {
  id: z.string().describe("A handle"),
  form: z.enum(HOOK_FORMS).describe("In whose words it is told"),
  host: z.string().describe("Of the URL, which may hold a key and is not shown again"),
  events: z.array(hookEvent),
  created: time,
  ended: time
    .nullable()
    .describe("Since when its receiver wants nothing more (410), RFC 3339, UTC; null: it does"),
};

const placed = z.object({
  ...described,
  secret: z.string().nullable().describe("Signs the calls of the standard form; shown once, when it is made"),
});

const list = sessionProcedure
  .meta(
    accountMeta("GET", "/api/users/me/hooks", {
      summary: "List your hooks",
      description:
        "Where you are told what becomes of your secrets and requests, newest first, and which hosts can be.",
    }),
  )
  .input(noInput)
  .output(
    z.object({
      hooks: z.array(z.object(described)),
      hosts: z.array(z.string()).describe("Where a hook can be; none where this server calls no hooks"),
    }),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const hooks = await listHooks(services.db, caller.memberId);
    return { hooks: hooks.map(describe), hosts: [...(services.hooks?.hosts ?? [])] };
  });

const create = sessionProcedure
  .meta(
    accountMeta("POST", "/api/users/me/hooks", {
      retry: "key",
      summary: "Add a hook",
      description:
        "From now on a call to this URL tells what becomes of your secrets and requests, without contents, keys, names and " +
        "addresses. It is tested by a call, and not added where that is not taken. At most three; only at hosts that the " +
        "operator allows.",
      body: "fields",
      status: 201,
      errors: [403, 409, 422],
      examples: { "Input.url": "https://ntfy.sh/rather-long-topic", "Input.form": "ntfy" },
    }),
  )
  .input(
    z.strictObject({
      ...fields,
      form: fields.form.default("standard"),
      events: fields.events
        .default([...USUAL_HOOK_EVENTS])
        .describe("Of what it tells; where it is absent of what others do, or nobody in time"),
    }),
  )
  .output(placed)
  .mutation(
    repeatable(async ({ input, ctx, keep }) => {
      const { db, now } = ctx.services;
      const member = ctx.caller.memberId;
      if ((await countOwn(db.query, "hook", member)) >= MAX_HOOKS) throw tooManyHooks();
      const own = { id: randomBase62(HANDLE_LENGTH), member };
      const { place, secret } = await placeHook({ ...input, ...own, secret: null }, ctx);
      const row = { ...own, ...place, events: inOrder(input.events), createdAt: now() };
      const answer = { ...describe({ ...row, endedAt: null }), secret };
      if (!(await insertHook(db, { ...row, ceiling: MAX_HOOKS, keep: await keep?.(answer) })))
        throw tooManyHooks();
      return answer;
    }),
  );

const change = sessionProcedure
  .meta(
    accountMeta("POST", "/api/users/me/hooks/{id}", {
      retry: "key",
      summary: "Change a hook",
      description:
        "What is absent stays. With `url` or `form`, also the same as before, it is tested by a call as a new one is, and " +
        "goes on where its receiver had ended it.",
      body: "fields",
      errors: [403, 404, 422],
      examples: { "Input.url": "https://ntfy.sh/rather-long-topic", "Input.form": "ntfy" },
    }),
  )
  .input(
    z.strictObject({
      id: hookId,
      url: fields.url.optional(),
      form: fields.form.optional(),
      events: fields.events.optional().describe("Of what it tells"),
    }),
  )
  .output(placed)
  .mutation(
    repeatable(async ({ input, ctx, keep }) => {
      const { db, keys } = ctx.services;
      const before = await findOwnHook(input.id, ctx);
      const known = await openHookTarget(before.sealed, before.id, keys);
      const { url = known?.url ?? "", form = before.form, events = before.events } = input;
      const isMoved = input.url !== undefined || input.form !== undefined;
      const target = { ...before, form, url, secret: known?.secret ?? null };
      const moved = isMoved ? await placeHook(target, ctx) : undefined;
      const endedAt = moved ? null : before.endedAt;
      const after = { ...before, ...moved?.place, events: inOrder(events), endedAt };
      const isNewSecret = moved !== undefined && moved.secret !== known?.secret;
      const answer = { ...describe(after), secret: isNewSecret ? moved.secret : null };
      const options = { from: before.sealed, keep: await keep?.(answer) };
      if (!(await updateHook(db, after, options))) throw hookNotFound();
      return answer;
    }),
  );

/** Tests and encrypts the target of a hook; an existing signing secret stays. @throws ApiError */
async function placeHook(
  { id, member, form, ...target }: Pick<Hook, "id" | "member" | "form"> & HookTarget,
  ctx: CallerContext,
) {
  const { services } = ctx;
  const allowed = openHooks(services);
  const { href: url, host } = readUrl(target.url, form, allowed);
  // In the form of Standard Webhooks 1.0.
  const secret =
    form === "standard" ? (target.secret ?? `whsec_${encodeBase64(systemRandom(new Uint8Array(32)))}`) : null;
  const data = { id, kind: "hook", account: member } as const;
  const event = { type: "hook.created", timestamp: toTime(services.now()), data } as const;
  await countCall(ctx, "hookTests");
  const failure = await allowed.test({ form, url, secret }, { id, event });
  if (failure !== undefined) throw new ApiError(failure, SENTENCES[failure], { parameter: "url" });
  const sealed = await sealHookTarget({ url, secret }, id, services.keys);
  return { place: { form, host, sealed }, secret };
}

const SENTENCES = {
  hook_address:
    "The host of the hook leads to a private address, or has no TLS; this server does not call that",
  hook_unreachable: "The hook cannot be reached: its host does not answer, or its certificate is not good",
  hook_refused: "The hook has not taken the test call: its receiver answered something else than 2xx",
} as const;

const remove = sessionProcedure
  .meta(
    accountMeta("DELETE", "/api/users/me/hooks/{id}", {
      retry: "key",
      summary: "Remove a hook",
      description: "Nothing more is told there, also not what waits to be sent again.",
      errors: [404],
    }),
  )
  .input(z.strictObject({ id: hookId }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(
    repeatable(async ({ input: { id }, ctx: { services, caller } }) => {
      if (!isBase62(id, HANDLE_LENGTH) || !(await deleteHook(services.db, caller.memberId, id)))
        throw hookNotFound();
      return { id, deleted: true as const };
    }),
  );

/** One of the member's own hooks. @throws ApiError not_found */
async function findOwnHook(
  id: string,
  { services, caller }: { services: Services; caller: MemberCaller },
): Promise<Hook> {
  const hook = isBase62(id, HANDLE_LENGTH) && (await findHook(services.db, id));
  if (!hook || hook.member !== caller.memberId) throw hookNotFound();
  return hook;
}

// Also where another call has removed or changed it meanwhile.
function hookNotFound(): ApiError {
  return new ApiError("not_found", "You have no hook with this id");
}

function openHooks({ hooks }: Pick<Services, "hooks">): Hooks {
  if (hooks) return hooks;
  const error =
    "This server calls no hooks of members: its operator has named no hosts for them (NOTIFY_HOSTS)";
  throw new ApiError("hooks_closed", error);
}

/** @throws ApiError invalid_parameter */
function readUrl(text: string, form: Hook["form"], allowed: Hooks): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw wrongUrl("must be an https:// URL without user name");
  url.hash = "";
  if (!allowed.allows(url))
    throw wrongUrl(`must be at one of ${allowed.hosts.join(", ")}`, { allowed: allowed.hosts });
  if (form === "ntfy" && !/\/[\w-]{1,64}\/*$/.test(url.pathname))
    throw wrongUrl("must be the URL of a topic, such as https://ntfy.sh/TOPIC");
  return url;
}

/** The hosts are told where it is another one, so that callers can tell this from an address that is wrong. */
function wrongUrl(rule: string, hosts: { allowed?: readonly string[] } = {}): ApiError {
  return new ApiError("invalid_parameter", `Parameter "url" ${rule}`, {
    parameter: "url",
    in: "body",
    ...hosts,
  });
}

function tooManyHooks(): ApiError {
  return new ApiError("too_many_hooks", `A member has at most ${MAX_HOOKS} hooks; remove one first`, {
    limit: "hooks",
    value: MAX_HOOKS,
    unit: "hooks",
  });
}

function inOrder(wanted: readonly string[]): HookEvent[] {
  return HOOK_EVENTS.filter((each) => wanted.includes(each));
}

function describe({ id, form, host, events: told, createdAt, endedAt }: Omit<Hook, "member" | "sealed">) {
  // The database contains those that were checked when they were stored.
  const known = inOrder(told);
  return { id, form, host, events: known, created: toTime(createdAt), ended: toTimeOrNull(endedAt) };
}

/** Members' own hooks. */
export const hooks = router({ list, create, change, remove });
