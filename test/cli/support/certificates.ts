import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTempFolder } from "../../support/temp-folder.ts";

const LOCAL = "DNS:localhost,IP:127.0.0.1";

/** A private authority. */
export interface Authority {
  /** The path of its certificate. */
  readonly path: string;
  /** A key and its certificate, a server's by default; `days` before today have passed already. */
  readonly issue: (options?: { subject?: string; names?: string; days?: number }) => {
    key: Buffer;
    cert: Buffer;
  };
  /** One that nobody has signed. */
  readonly selfSigned: () => { key: Buffer; cert: Buffer };
}

/** Makes one in a folder that is its own, of the test where it is absent. */
export function makeAuthority(folder = makeTempFolder()): Authority {
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const sign = (name: string, subject: string, ...more: string[]) =>
    openssl(
      "req",
      "-x509",
      ...newKey,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.pem`,
      "-subj",
      subject,
      ...more,
    );
  const pair = (name: string) => ({
    key: readFileSync(path(`${name}.key`)),
    cert: readFileSync(path(`${name}.pem`)),
  });
  sign("ca", "/CN=Private authority", "-days", "2");
  const issue: Authority["issue"] = ({ subject = "/CN=server", names = LOCAL, days = 2 } = {}) => {
    openssl("req", ...newKey, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", subject);
    writeFileSync(path("names"), `subjectAltName=${names}`);
    const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
    openssl("x509", "-req", "-in", "leaf.csr", "-out", "leaf.pem", ...signing, "-days", String(days));
    return pair("leaf");
  };
  const selfSigned = () => {
    sign("self", "/CN=server", "-days", "2", "-addext", `subjectAltName=${LOCAL}`);
    return pair("self");
  };
  return { path: path("ca.pem"), issue, selfSigned };
}
