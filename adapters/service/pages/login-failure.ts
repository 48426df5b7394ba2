import type { ApiError } from "../../../router/errors/errors.ts";
import { errorHeaders } from "../../trpc/answer/write-error.ts";
import type { ServiceContext } from "../request-context.ts";
import { personPage } from "./person-page.ts";
import { escapeHtml } from "./texts.ts";

/** Tells a person why a login by the organisation's provider has failed, and leads back to the login. */
export function loginFailure(context: ServiceContext, failure: ApiError): Response {
  return personPage(context, {
    status: failure.status,
    headers: errorHeaders(failure),
    title: (t) => t.loginFailed,
    main: () => `<p lang="en" dir="ltr">${escapeHtml(failure.message)}.</p>`,
    back: (t) => t.loginAgain,
  });
}
