// process
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { makeAuthority } from "../cli/support/certificates.ts";
import { describeWith } from "../machine/skips.ts";
import { findRuntimes, type Runtime } from "../support/runtimes.ts";
import { runAdminOn } from "./support/admin.ts";
import { makeOwnPostgres, type OwnPostgres } from "./support/postgres.ts";

// What docs/operations.md says of certificates for the connection to PostgreSQL.
describeWith("initdb", "openssl")("a PostgreSQL that asks for a certificate", () => {
  let folder: string;
  let postgres: OwnPostgres | undefined;
  const place = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hushkit-"));
    // PostgreSQL is another user where the tests are root.
    chmodSync(folder, 0o755);
    const authority = makeAuthority(folder);
    const write = (name: string, { key, cert }: { key: Buffer; cert: Buffer }) => {
      writeFileSync(place(`${name}.crt`), cert);
      writeFileSync(place(`${name}.key`), key, { mode: 0o600 });
    };
    write("server", authority.issue());
    // Its name is that of the role.
    write("client", authority.issue({ subject: "/CN=hushkit" }));
    write("stranger", authority.selfSigned());
    const [user, group] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, "postgres"]).stdout));
    if (process.getuid?.() === 0) chownSync(place("server.key"), user ?? 0, group ?? 0);
    writeFileSync(
      place("hba.conf"),
      "hostssl all hushkit 127.0.0.1/32 cert\nhost all postgres 127.0.0.1/32 trust\n",
    );
    const files = { ssl_cert_file: "server.crt", ssl_key_file: "server.key", ssl_ca_file: "ca.pem" };
    const named = Object.entries({ ...files, hba_file: "hba.conf" });
    const options = named.map(([name, file]) => `-c ${name}=${place(file)}`).join(" ");
    postgres = await makeOwnPostgres({ options: `-c ssl=on ${options}` });
    await postgres.run("create role hushkit login", "create database hushkit owner hushkit");
  });
  afterAll(() => {
    postgres?.drop();
    rmSync(folder, { recursive: true });
  });

  function urlWith(files: Readonly<Record<string, string>>): string {
    const { url: own = "" } = postgres ?? {};
    const url = new URL(own.replace("postgres@127.0.0.1", "hushkit@localhost"));
    url.pathname = "/hushkit";
    url.searchParams.set("sslmode", "verify-full");
    for (const [name, file] of Object.entries(files)) url.searchParams.set(name, place(file));
    return url.href;
  }

  const CLIENT = { sslcert: "client.crt", sslkey: "client.key" };

  test("takes the one that DATABASE_URL names, and no password", async () => {
    const db = await openDatabase(urlWith({ sslrootcert: "ca.pem", ...CLIENT }));
    await expect(db.ping()).resolves.toBeUndefined();
    await db.close();
  });

  test.each([
    ["without one", { sslrootcert: "ca.pem" }],
    [
      "with one that its authority has not signed",
      { sslrootcert: "ca.pem", sslcert: "stranger.crt", sslkey: "stranger.key" },
    ],
    ["where its own is of another authority", { sslrootcert: "stranger.crt", ...CLIENT }],
  ])("is not talked to %s", async (_, files) => {
    await expect(openDatabase(urlWith(files))).rejects.toThrow(/certificate|cannot be reached/);
  });

  test.each(["verify-full", "require"])(
    "is backed up by PostgreSQL's programs as the server connects to it, trusting who the runtime trusts: %s",
    async (sslmode) => {
      const url = new URL(urlWith(CLIENT));
      url.searchParams.set("sslmode", sslmode);
      await openDatabase(urlWith({ sslrootcert: "ca.pem", ...CLIENT })).then((db) => db.close());
      const backUp = async (runtime: Runtime, env: Record<string, string>) => {
        const run = (...args: string[]) =>
          runAdminOn(runtime, args, { env: { DATABASE_URL: url.href, ...env } });
        const file = place(`${crypto.randomUUID()}.dump`);
        expect(await run("backup", file)).toMatchObject({ code: 0 });
        expect(await run("restore", file)).toMatchObject({ code: 0 });
      };
      for (const runtime of findRuntimes()) {
        await backUp(runtime, { NODE_EXTRA_CA_CERTS: place("ca.pem") });
        if (runtime.name !== "node") continue;
        // As Debian builds it.
        await backUp(runtime, { NODE_OPTIONS: "--use-openssl-ca", SSL_CERT_FILE: place("ca.pem") });
      }
    },
  );
});
