import { useSignal, type Signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { findFailure, type Failure } from "../../api/failure.ts";
import { instance } from "../../app/instance.ts";
import { fill, words } from "../../app/language/words.ts";
import { isOthers, startAnew } from "../../app/owner.ts";
import { hrefTo } from "../../app/paths/base.ts";
import { currentPath } from "../../app/paths/route.ts";
import { SecretField, TrimmedField } from "../../parts/field.tsx";
import { Note, Status } from "../../parts/note.tsx";
import type { OwnAccount } from "../current-session.tsx";
import { loginWanted, MemberFailure } from "../member-failure.tsx";
import { hasPasskeys, PasskeyButton } from "./passkey-button.tsx";

/** The credentials that members repeat. */
export interface Proofs {
  readonly password?: string;
  readonly code?: string;
}

/** What the server asks for again; "login" for a new login. */
type ConfirmationNeed = "nothing" | "password" | "both" | "login";

type Member = Pick<OwnAccount, "hasPassword" | "hasTotp" | "hasIdentity">;

type Confirmation = ReturnType<typeof useConfirmation>;

/** Asks for the credentials again, as the server requires some time after a login. */
export function useConfirmation(
  me: Member,
  options: {
    /** Whether the call always takes the password. */
    isAlways?: boolean;
    /** The password, where it was just typed. */
    known?: string | undefined;
  } = {},
) {
  const { isAlways = false, known = "" } = options;
  const canType = me.hasPassword && instance.value.login.includes("password");
  const first: ConfirmationNeed = isAlways && canType && known === "" ? "password" : "nothing";
  const [password, code, asked] = [useSignal(known), useSignal(""), useSignal<ConfirmationNeed>(first)];
  /** Used after a login, which is a proof too. */
  const reset = () => {
    password.value = code.value = "";
    asked.value = first;
  };
  return {
    me,
    isAlways,
    password,
    code,
    asked,
    reset,
    /** Runs a call with the credentials. */
    async run<Result>(call: (given: Proofs) => Promise<Result>): Promise<Result> {
      try {
        const result = await call({
          ...(password.value !== "" && { password: password.value }),
          ...(code.value !== "" && { code: code.value }),
        });
        reset();
        return result;
      } catch (error) {
        asked.value = askedBy(await findFailure(error), me) ?? asked.value;
        throw error;
      }
    },
  };
}

function askedBy(
  { code, fields: { parameter } }: Failure,
  { hasTotp }: Member,
): ConfirmationNeed | undefined {
  if (code === "missing_parameter" && parameter === "password") return hasTotp ? "both" : "password";
  if (code === "second_factor_required") return parameter === "code" ? "both" : "login";
  return code === "login_required" ? "login" : undefined;
}

/** The fields for the credentials, once the server asks for them, and why the call has failed. */
export function ConfirmationFields({
  confirmation,
  failure,
  label = words().account.password,
  labels,
  atFields,
}: {
  confirmation: Confirmation;
  failure: Failure | undefined;
  /** The label of the password field. */
  label?: string;
  /** The labels of other fields of the form, by parameter. */
  labels?: Readonly<Record<string, string>>;
  /** Other fields that have their rule below them. */
  atFields?: readonly string[];
}) {
  const { asked, password, code, isAlways } = confirmation;
  const t = words().account;
  const asksPassword = asked.value === "password" || asked.value === "both";
  return (
    <>
      {asksPassword && (
        <SecretField
          label={label}
          value={password}
          autocomplete="current-password"
          hint={isAlways ? undefined : t.again.hint}
          isFocused={!isAlways}
        />
      )}
      {asked.value === "both" && (
        <CodeField
          label={t.totp.loginCode}
          value={code}
          failure={failure}
          isFocused={password.peek() !== ""}
        />
      )}
      <LoginAgain confirmation={confirmation} />
      {failure && !isQuestion(failure, confirmation) && (
        <MemberFailure
          failure={failure}
          labels={{ password: label, code: t.totp.loginCode, ...labels }}
          {...(atFields && { atFields })}
        />
      )}
    </>
  );
}

const DIGITS = /^[\d\s-]*$/;

/** A code of an authenticator app, which browsers may fill in. */
export function CodeField({
  failure,
  mayRecover = false,
  isFocused = true,
  ...props
}: {
  label: string;
  value: Signal<string>;
  hint?: string;
  failure: Failure | undefined;
  /** Whether the recovery code can stand for it, which has letters. */
  mayRecover?: boolean;
  isFocused?: boolean;
}) {
  const { value } = props;
  useLayoutEffect(() => {
    // A code is good once. A recovery code with a slip in it can be corrected.
    if (failure?.code === "second_factor_wrong" && DIGITS.test(value.peek())) value.value = "";
  }, [failure]);
  return (
    <TrimmedField
      {...props}
      isCode
      // An empty one would count as an attempt.
      isRequired
      isFocused={isFocused}
      autocomplete="one-time-code"
      {...(!mayRecover && { inputMode: "numeric" })}
    />
  );
}

/** Whether a failure only asks for credentials. */
function isQuestion(failure: Failure, { me, isAlways }: Confirmation): boolean {
  const asked = askedBy(failure, me);
  return asked === "login" || (asked !== undefined && !(isAlways && failure.code === "missing_parameter"));
}

/** Shown where no password of this account is enough. */
function LoginAgain({ confirmation: { asked, me, reset } }: { confirmation: Confirmation }) {
  const t = words().account;
  const { oidc, login } = instance.value;
  const isBack = useSignal(false);
  const isAsked = asked.value === "login";
  const finish = () => {
    isBack.value = true;
    reset();
  };
  return (
    <>
      <Status>{isBack.value && !isAsked && <Note kind="good">{words().members.again}</Note>}</Status>
      {isAsked && (
        <Note kind="bad" title={t.again.login}>
          <div class="actions">
            {oidc && me.hasIdentity && (
              <a class="button" href={hrefTo(`/api/account/oidc?fresh&next=${currentPath.value}`)}>
                {fill(t.organisation.login, { name: oidc.name })}
              </a>
            )}
            {hasPasskeys() && (
              <PasskeyButton onLogin={(next) => (isOthers(next.id) ? startAnew(next) : finish())} />
            )}
            {me.hasPassword && login.includes("password") && (
              <button type="button" aria-haspopup="dialog" onClick={() => (loginWanted.value = finish)}>
                {words().members.login}
              </button>
            )}
          </div>
        </Note>
      )}
    </>
  );
}
