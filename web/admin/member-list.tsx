import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { OwnAccount } from "../account/current-session.tsx";
import type { Failure } from "../api/failure.ts";
import { MemberFailure, Rule, wrongField } from "../account/member-failure.tsx";
import { ConfirmationFields, useConfirmation, type Proofs } from "../account/ways/confirmation.tsx";
import { EndedWays, type RecoveryEffect } from "../account/ways/ways-in.tsx";
import { useLoader, useSender } from "../api/loader.ts";
import { server } from "../api/server.ts";
import { instance } from "../app/instance.ts";
import { words, fill } from "../app/language/words.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Choices, CopyableSecret, TrimmedField } from "../parts/field.tsx";
import { Note } from "../parts/note.tsx";
import { MemberRow, type ListedMember, type MemberAct } from "./member-row.tsx";

const PAGE = { limit: 20 };

interface MemberSearch {
  readonly name?: string | undefined;
  readonly disabled?: true | undefined;
}

/** The members by name, a page at a time, and a form that adds one. */
export function MemberList({ me }: { me: OwnAccount }) {
  const t = words().admin;
  const [name, shows] = [useSignal(""), useSignal<"all" | "disabled">("all")];
  const shown = useSignal<readonly ListedMember[]>([]);
  const next = useSignal<string | null>(null);
  const made = useSignal<readonly MadeCredentials[]>([]);
  const confirmation = useConfirmation(me);
  // What was typed since is not looked for yet.
  const sought = useRef<MemberSearch>({});
  const load = (cursor?: string) => server.admin.members.query({ ...PAGE, ...sought.current, cursor });
  const { state, reload } = useLoader(async () => {
    const page = await load();
    [shown.value, next.value] = [page.members, page.next];
  });
  const search = () => {
    sought.current = {
      name: name.value || undefined,
      disabled: shows.value === "disabled" || undefined,
    };
    return reload();
  };
  const { isBusy, failure, send } = useSender();
  // What is done far below in a long list is answered above it.
  const asked = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (failure.value) asked.current?.scrollIntoView({ block: "nearest" });
  }, [failure.value]);
  const loadMore = (cursor: string) =>
    send(async () => {
      const page = await load(cursor);
      [shown.value, next.value] = [[...shown.value, ...page.members], page.next];
    });
  const change = async (work: (given: Proofs) => Promise<MadeCredentials | undefined>) => {
    const isDone = await send(async () => {
      const next = await confirmation.run(work);
      // A second password of the same member ends the first.
      if (next) made.value = [next, ...made.value.filter(({ name: each }) => each !== next.name)];
    });
    if (isDone) await reload();
    return isDone;
  };
  const act = async (what: MemberAct, { id, name: of }: ListedMember) => {
    const isDone = await change((given) => carryOut(what, { id, ...given }));
    // There is nothing left to give to a deleted member.
    if (isDone && typeof what === "object" && "delete" in what)
      made.value = made.value.filter((each) => each.name !== of);
  };
  const loaded = state.value;
  const cursor = next.value;
  return (
    <section class="panel" aria-labelledby="members" aria-busy={loaded.is === "loading"}>
      <h2 id="members">{t.counters.members}</h2>
      {made.value.map((each) => (
        <Credentials
          key={each}
          made={each}
          onKept={() => (made.value = made.value.filter((other) => other !== each))}
        />
      ))}
      <div ref={asked}>
        <ConfirmationFields confirmation={confirmation} failure={failure.value} atFields={RULED} />
      </div>
      <form class="stack" role="search" onSubmit={() => void search()}>
        <div class="fields">
          <TrimmedField label={t.search} value={name} />
          <Choices label={t.show} value={shows} choices={t.shows} />
        </div>
        <div class="actions">
          <button>{t.show}</button>
        </div>
      </form>
      {loaded.is === "failed" && <MemberFailure failure={loaded.failure} />}
      {loaded.is === "loaded" && shown.value.length === 0 && <p class="hint">{t.none}</p>}
      <ul class="rows">
        {shown.value.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            isOwn={member.id === me.id}
            onAct={(what) => void act(what, member)}
          />
        ))}
      </ul>
      {cursor && (
        <div class="actions">
          <button type="button" class="small" aria-busy={isBusy.value} onClick={() => void loadMore(cursor)}>
            {t.more}
          </button>
        </div>
      )}
      {instance.value.login.includes("password") && (
        <AddForm
          isBusy={isBusy.value}
          broken={wrongField(failure.value, RULED) ? failure.value : undefined}
          onAdd={(added) => change((given) => server.admin.addMember.mutate({ name: added, ...given }))}
        />
      )}
    </section>
  );
}

async function carryOut(
  act: MemberAct,
  input: { id: string } & Proofs,
): Promise<MadeCredentials | undefined> {
  if (act === "disable") await server.admin.disableMember.mutate(input);
  else if (act === "enable") await server.admin.enableMember.mutate(input);
  else if ("reset" in act) return server.admin.resetMember.mutate({ ...input, keep: [...act.reset] });
  else await server.admin.deleteMember.mutate({ ...input, secrets: act.delete });
  return undefined;
}

const RULED = ["name"];

function AddForm({
  isBusy,
  broken,
  onAdd,
}: {
  isBusy: boolean;
  broken: Failure | undefined;
  onAdd: (name: string) => Promise<boolean>;
}) {
  const { admin: t, account } = words();
  const name = useSignal("");
  const add = async () => {
    const added = name.value;
    // The next name may be typed while the list is loaded.
    if ((await onAdd(added)) && name.value === added) name.value = "";
  };
  return (
    <details>
      <summary>{t.add}</summary>
      <form class="stack" onSubmit={() => void add()}>
        <TrimmedField
          label={account.name}
          value={name}
          isInvalid={broken !== undefined}
          hint={<Rule broken={broken}>{account.nameRule}</Rule>}
        />
        <div class="actions">
          <button aria-busy={isBusy}>{t.addSubmit}</button>
        </div>
      </form>
    </details>
  );
}

interface MadeCredentials {
  readonly name: string;
  readonly password: string;
  readonly recoveryCode: string;
  /** What a reset has ended. */
  readonly ended?: RecoveryEffect["ended"];
  readonly kept?: RecoveryEffect["kept"];
}

/** Credentials that an administrator passes on to a member, shown once. */
function Credentials({ made, onKept }: { made: MadeCredentials; onKept: () => void }) {
  const { admin: t, account } = words();
  const { name, password, recoveryCode, ended, kept = [] } = made;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.focus(), [made]);
  useUnsaved("recoveryCode", true);
  const all = [
    `${account.name}: ${name}`,
    `${account.password}: ${password}`,
    `${account.recoveryCode}: ${recoveryCode}`,
  ];
  return (
    <div ref={place} role="status" tabIndex={-1}>
      <Note kind="good" title={fill(t.made, { name })}>
        <div class="stack">
          <p>{account.password}</p>
          <CopyableSecret value={password} />
          <p>{account.recoveryCode}</p>
          <CopyableSecret value={recoveryCode} />
          <p>{t.goodForADay}</p>
          {ended && <EndedWays ended={ended} kept={kept} />}
          <div class="actions">
            <CopyButton kind="primary" text={() => all.join("\n")} label={t.copyMade} />
            <button type="button" onClick={onKept}>
              {t.kept}
            </button>
          </div>
        </div>
      </Note>
    </div>
  );
}
