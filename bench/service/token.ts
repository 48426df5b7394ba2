/** An API token of a member who is made for this run, whose limits are the larger ones. */
export async function makeToken(url: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const post = (path: string, body: object, more: Record<string, string> = {}) =>
    fetch(url + path, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const made = await post("/api/account/register", { name: "bench", password: "only for this run" });
  const cookie = (made.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
  const { token } = (await (await post("/api/users/me/tokens", { name: "bench" }, { cookie })).json()) as {
    token: string;
  };
  return token;
}
