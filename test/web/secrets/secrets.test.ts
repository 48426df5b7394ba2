// browser
import { afterAll, beforeAll, expect } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { browserTest, FOREIGN_HOST, openStage, type Stage } from "../support/browser.ts";
import { sendText } from "../support/send-text.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const HOSTILE = `<script>document.title="owned"</script><img src=x onerror="document.title='owned'">`;

interface ShareInput {
  readonly text: string;
  readonly passphrase?: string;
  readonly byServer?: boolean;
}

async function share({ text, passphrase, byServer }: ShareInput): Promise<string> {
  const { page, complaints } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill(text);
  if (passphrase) {
    await page.getByRole("button", { name: "Passphrase", exact: true }).click();
    await page.getByRole("textbox", { name: "Passphrase" }).fill(passphrase);
  }
  if (byServer) {
    await page.getByText("Encrypted by: This browser").click();
    await page.getByText("The server", { exact: true }).click();
  }
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  expect(complaints).toEqual([]);
  await page.context().close();
  return link.slice(stage.url.length);
}

browserTest("shares a text end to end, and opens it once", async () => {
  const link = await share({ text: "pässwörd 🔑\n" });
  expect(link).toMatch(/^\/s\/[0-9A-Za-z]{16}#[0-9A-Za-z]{22}\.[0-9A-Za-z]{43}$/);
  const { page, complaints } = await stage.open(link);
  await page.getByRole("button", { name: "Open the secret" }).click();
  expect(await page.getByRole("region", { name: "The secret" }).textContent()).toBe("pässwörd 🔑\n");
  const { page: second } = await stage.open(link);
  await second.getByRole("heading", { name: "This secret was opened before you" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("does the main thing of a page with Ctrl+Enter, in a field and outside of one", async () => {
  const { page } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill("by keys");
  await page.keyboard.press("Control+Enter");
  await page.goto(await page.getByLabel("The link", { exact: true }).innerText());
  await page.getByRole("button", { name: "Open the secret" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("region", { name: "The secret" }).getByText("by keys").waitFor();
});

browserTest("sends neither the text nor what opens it", async () => {
  const { page } = await stage.open("/");
  const bodies: string[] = [];
  page.on("request", (request) => bodies.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.getByLabel("Your secret", { exact: true }).fill("the launch code is 0000");
  await page.getByRole("button", { name: "Passphrase", exact: true }).click();
  await page.getByRole("textbox", { name: "Passphrase" }).fill("open sesame");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  const sent = bodies.join("\n");
  expect(sent).toContain("s1.");
  expect(sent).not.toContain("launch code");
  expect(sent).not.toContain("sesame");
  expect(sent).not.toContain(link.slice(link.indexOf(".", link.indexOf("#"))).slice(1));
});

browserTest("reads nothing when the page is only loaded and left open", async () => {
  const link = await sendText(stage.url, "only looking");
  const { page, requests } = await stage.open(link);
  await page.clock.install();
  await page.getByRole("button", { name: "Open the secret" }).waitFor();
  await page.clock.runFor(60_000);
  expect(requests.filter((request) => /^POST .*reveal/.test(request))).toEqual([]);
  await page.getByRole("button", { name: "Open the secret" }).click();
  await page.getByText("only looking").waitFor();
});

browserTest("shows hostile text as text", async () => {
  for (const byServer of [false, true]) {
    const { page } = await stage.open(await sendText(stage.url, HOSTILE, { byServer }));
    await page.getByRole("button", { name: "Open the secret" }).click();
    expect(await page.getByRole("region", { name: "The secret" }).textContent()).toBe(HOSTILE);
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).not.toBe("owned");
  }
});

browserTest("counts wrong passphrases aloud and opens with the right one", async () => {
  for (const byServer of [false, true]) {
    const { page } = await stage.open(
      await share({ text: "behind a word", passphrase: "open sesame", byServer }),
    );
    await page.getByRole("textbox", { name: "Passphrase" }).fill("open barley");
    await page.getByRole("button", { name: "Open the secret" }).click();
    await page.getByText("You have 9 tries left. The secret has not been opened.").waitFor();
    await page.getByRole("textbox", { name: "Passphrase" }).fill("open sesame");
    await page.getByRole("button", { name: "Open the secret" }).click();
    await page.getByText("behind a word").waitFor();
  }
});

browserTest(
  "says of a cut or changed link that nothing was used up, and asks nobody about a cut one",
  async () => {
    const link = await sendText(stage.url, "still there");
    const cut = await stage.open(link.slice(0, -3));
    await cut.page.getByRole("heading", { name: "This link is incomplete" }).waitFor();
    await cut.page.getByText("Nothing has been opened").waitFor();
    expect(cut.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
    const changed = link.replace(/#./, (start) => (start === "#a" ? "#b" : "#a"));
    const { page } = await stage.open(changed);
    await page.getByRole("heading", { name: "No secret belongs to this link" }).waitFor();
    await page.getByLabel("Link").fill(stage.url + link);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Open the secret" }).click();
    await page.getByText("still there").waitFor();
  },
);

browserTest(
  "keeps the ciphertext of a link whose last part was changed, for the whole link to open",
  async () => {
    const link = await sendText(stage.url, "rescued");
    const { page } = await stage.open(link.replace(/\.(.)/, (start) => (start === ".a" ? ".b" : ".a")));
    await page.getByRole("button", { name: "Open the secret" }).click();
    await page
      .getByRole("heading", { name: "The secret is here, but your link cannot decrypt it" })
      .waitFor();
    await page.getByLabel("Complete link").fill(stage.url + link);
    await page.getByRole("button", { name: "Decrypt" }).click();
    expect(await page.getByRole("region", { name: "The secret" }).textContent()).toBe("rescued");
  },
);

browserTest("opens a link whose # a gateway has rewritten", async () => {
  const link = await sendText(stage.url, "through the gateway");
  const { page } = await stage.open(link.replace("#", "%23"));
  await page.getByRole("button", { name: "Open the secret" }).click();
  await page.getByText("through the gateway").waitFor();
});

browserTest("opens what the server has sealed without any script, by a form", async () => {
  const link = await sendText(stage.url, "no script", { byServer: true });
  const { page } = await stage.open(link, { javaScriptEnabled: false });
  // Nobody has looked whether somebody was earlier.
  await page.getByText("It can be opened once.", { exact: true }).waitFor();
  await page.getByLabel("The key").fill(link.split("#")[1] ?? "");
  await page.getByRole("button", { name: "Open the secret" }).click();
  expect(await page.locator("body").textContent()).toBe("no script");
});

browserTest("follows what becomes of a secret, and takes it back", async () => {
  const { page } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill("changed my mind");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  await page.getByText("Not opened yet").waitFor();
  await page.getByRole("button", { name: "Delete it now" }).click();
  await page.getByRole("button", { name: "Yes, delete it" }).click();
  await page.getByRole("heading", { name: "It was deleted" }).waitFor();
  expect(await page.getByRole("button", { name: /Copy/ }).count()).toBe(0);
  const { page: other } = await stage.open(link.slice(stage.url.length));
  await other.getByRole("heading", { name: "The sender deleted this secret" }).waitFor();
});

browserTest("names the program for ciphertext of another kind", async () => {
  const made = await fetch(`${stage.url}/api/secrets`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": freshIp() },
    body: JSON.stringify({ content: "-----BEGIN PGP MESSAGE-----\n\nhQ==\n", isEncrypted: true }),
  });
  const { url } = (await made.json()) as { url: string };
  const { page } = await stage.open(url.slice(stage.url.length));
  await page.getByText("You will need another program to read it").waitFor();
  await page.getByRole("button", { name: "Open the secret" }).click();
  await page.getByText("gpg --decrypt secret.txt").waitFor();
});

browserTest(
  "says over plain http that nothing is encrypted here, and leaves the sealing to the server",
  async () => {
    const { page } = await stage.open("/");
    await page.goto(stage.url.replace("localhost", FOREIGN_HOST));
    await page.getByText("This browser cannot encrypt here").waitFor();
    await page.getByLabel("Your secret", { exact: true }).fill("readable on the way");
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByLabel("The link", { exact: true }).innerText();
    expect(link).toMatch(/#[0-9A-Za-z]{22}$/);
    await page.goto(link.replace("localhost", FOREIGN_HOST));
    await page.getByRole("button", { name: "Open the secret" }).click();
    await page.getByText("readable on the way").waitFor();
  },
);

browserTest("uses nothing up over plain http, where it could not be decrypted", async () => {
  const link = await sendText(stage.url, "sealed here");
  const { page } = await stage.open("/");
  await page.goto((stage.url + link).replace("localhost", FOREIGN_HOST));
  await page.getByText("where browsers turn encryption off").waitFor();
  expect(await page.getByRole("button", { name: "Open the secret" }).count()).toBe(0);
  const { page: secure } = await stage.open(link);
  await secure.getByRole("button", { name: "Open the secret" }).click();
  await secure.getByText("sealed here").waitFor();
});

browserTest("keeps translators of browsers, which send texts to others, from what is secret", async () => {
  const { page } = await stage.open("/");
  const mayTranslate = (text: string) => page.getByText(text).evaluate((part: HTMLElement) => part.translate);
  await page.getByLabel("Your secret", { exact: true }).fill("our words");
  await page.getByRole("button", { name: "Passphrase", exact: true }).click();
  await page.getByRole("button", { name: "Suggest" }).click();
  const passphrase = await page.locator(".copyable code").innerText();
  expect(await mayTranslate(passphrase)).toBe(false);
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  expect(await mayTranslate(link)).toBe(false);
  expect(await mayTranslate("Not opened yet")).toBe(true);
  await page.goto(stage.url + (await sendText(stage.url, "our words", { byServer: true })));
  expect(await mayTranslate("curl")).toBe(false);
  await page.getByRole("button", { name: "Open the secret" }).click();
  expect(await mayTranslate("our words")).toBe(false);
  expect(await mayTranslate("Save as a file")).toBe(true);
});
