import type { Sent } from "./harness.ts";

/** Sends the last cookie of a session in the place of an older one, as a browser does after a proof. */
export class RenewedCookies {
  readonly #next = new Map<string, string>();

  async send(sent: Sent, request: (sent: Sent) => Promise<Response>): Promise<Response> {
    const headers = new Headers(sent.headers);
    const first = headers.get("cookie");
    if (first === null) return request(sent);
    const cookie = this.#lastOf(first);
    headers.set("cookie", cookie);
    const response = await request({ ...sent, headers });
    const [set = ""] = (response.headers.get("set-cookie") ?? "").split(";");
    if (/service_user_session=./.test(set) && set !== cookie) this.#next.set(cookie, set);
    return response;
  }

  #lastOf(cookie: string): string {
    const next = this.#next.get(cookie);
    return next === undefined ? cookie : this.#lastOf(next);
  }
}
