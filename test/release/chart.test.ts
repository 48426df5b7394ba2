import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import about from "../../package.json" with { type: "json" };
import { configHelp, readConfig } from "../../adapters/config/config.ts";
import { placeOf, testWith } from "../machine/skips.ts";

const CHART = new URL("../../release/chart/", import.meta.url);
/** What the chart sets by itself. */
const OWN = ["HOST", "PORT", "PUBLIC_URL", "DATABASE_URL"];
const INGRESS = { enabled: true, namespace: "ingress-nginx" };
const POSTGRES = { database: { secret: { name: "hush-database" } } };

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: object;
  readonly definitions?: { readonly setting: { readonly enum: readonly string[] } };
}

/** The parts of the manifests that a test asks for. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly strategy: { readonly type: string };
    readonly rules: readonly object[];
    readonly tls?: readonly object[];
    readonly template: { readonly spec: Pod };
    readonly podSelector: object;
    readonly ingress: readonly object[];
    readonly egress: readonly object[];
  };
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly Container[];
}

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly [name: string]: unknown;
}

function read(name: string): string {
  return readFileSync(new URL(name, CHART), "utf8");
}

test("the chart has the version of the packages, and every value is in its schema", () => {
  expect(parse(read("Chart.yaml"))).toMatchObject({ version: about.version, appVersion: about.version });
  const schema = JSON.parse(read("values.schema.json")) as Schema;
  const missing = (values: object, { properties = {} }: Schema): string[] =>
    Object.entries(values).flatMap(([name, value]) => {
      const inner = properties[name];
      if (!inner) return [name];
      const hasNames = typeof value === "object" && !Array.isArray(value) && inner.properties;
      return hasNames ? missing(value, inner) : [];
    });
  expect(missing(parse(read("values.yaml")), schema)).toEqual([]);
});

test("the chart takes each setting of the server that it does not make itself", () => {
  const { definitions, properties } = JSON.parse(read("values.schema.json")) as Schema;
  const names = [...configHelp().matchAll(/^ {2}([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  const others = names.filter((name) => !OWN.includes(name));
  expect(definitions?.setting.enum).toEqual(others);
  for (const place of [properties?.settings, properties?.settingsFromSecrets])
    expect(place?.propertyNames).toEqual({ $ref: "#/definitions/setting" });
});

function helm(command: "lint" | "template", values: object, ...more: string[]) {
  const names = command === "template" ? ["hush"] : ["--strict"];
  const args = [command, ...names, fileURLToPath(CHART), "--values", "-", ...more];
  return spawnSync(placeOf("helm"), args, { input: JSON.stringify(values), encoding: "utf8" });
}

/** The manifests by their kind. */
function render(values: object): Record<string, Manifest> {
  const { stdout, stderr } = helm("template", { publicUrl: "https://hush.example", ...values });
  const documents = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null);
  const manifests = documents.filter((each) => each !== null);
  expect(manifests, stderr).not.toEqual([]);
  return Object.fromEntries(manifests.map((each) => [each.kind, each]));
}

function podOf({ Deployment }: Record<string, Manifest>): Pod & { container: Container } {
  const { spec } = Deployment!.spec.template;
  return { ...spec, container: spec.containers[0]! };
}

testWith("helm")("helm finds nothing to complain about", () => {
  for (const values of [{}, { publicUrl: "https://hush.example", ...POSTGRES, replicas: 3 }]) {
    const { status, stdout, stderr } = helm("lint", values);
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("0 chart(s) failed")]);
  }
});

testWith("helm")(
  "one pod with SQLite is given a volume, and starts with settings that the server takes",
  () => {
    const settings = { FILE_SIZE: 104857600, REGISTRATION: "closed", DRAIN_SECONDS: 20 };
    const manifests = render({ settings });
    const kinds = ["Deployment", "NetworkPolicy", "PersistentVolumeClaim", "Secret", "Service"];
    expect(Object.keys(manifests).sort()).toEqual(kinds);
    expect(manifests.Deployment?.spec.strategy).toEqual({ type: "Recreate" });
    const { container, ...pod } = podOf(manifests);
    const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    expect(readConfig(env)).toMatchObject({ publicUrl: "https://hush.example", host: "0.0.0.0", port: 3000 });
    expect(env).toMatchObject({ DATABASE_URL: "/data/service.db", FILE_SIZE: "104857600" });
    // Nothing is in front of it yet, so that nobody may say for whom they call.
    expect(env.TRUST_PROXY).toBeUndefined();
    expect(container.image).toBe(`ghcr.io/hushkit/hushkit:${about.version}`);
    expect(pod.terminationGracePeriodSeconds).toBe(75);
  },
);

testWith("helm")("a pod is nobody, writes to its volumes alone, and is asked for its health", () => {
  const { container, securityContext } = podOf(render({}));
  expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65534 });
  expect(container).toMatchObject({
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    readinessProbe: { httpGet: { path: "/readyz", port: "http" } },
    livenessProbe: { httpGet: { path: "/healthz", port: "http" } },
    resources: { limits: { memory: "2Gi" } },
  });
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/tmp", "/data"]);
});

testWith("helm")("several pods on PostgreSQL need no volume, and take its address from a Secret", () => {
  const secret = { name: "hush-hook", key: "webhook" };
  const manifests = render({ ...POSTGRES, replicas: 3, settingsFromSecrets: { WEBHOOK_SECRET: secret } });
  expect(Object.keys(manifests).sort()).toEqual(["Deployment", "NetworkPolicy", "Secret", "Service"]);
  expect(manifests.Deployment?.spec).toMatchObject({ replicas: 3, strategy: { type: "RollingUpdate" } });
  const { env } = podOf(manifests).container;
  expect(env).toContainEqual({
    name: "DATABASE_URL",
    valueFrom: { secretKeyRef: { name: "hush-database", key: "DATABASE_URL" } },
  });
  expect(env).toContainEqual({ name: "WEBHOOK_SECRET", valueFrom: { secretKeyRef: secret } });
});

testWith("helm")(
  "every pod takes the key of the instance from one Secret, the chart's or one that is named",
  () => {
    const manifests = render({ ...POSTGRES, replicas: 2 });
    const key = Buffer.from(manifests.Secret?.data?.INSTANCE_KEY ?? "", "base64").toString();
    expect(readConfig({ INSTANCE_KEY: key }).instanceKey).toHaveLength(32);
    const taken = (all: Record<string, Manifest>) =>
      podOf(all).container.env.filter(({ name }) => name === "INSTANCE_KEY");
    const from = (secretKeyRef: object) => [{ name: "INSTANCE_KEY", valueFrom: { secretKeyRef } }];
    expect(taken(manifests)).toEqual(from({ name: manifests.Secret?.metadata.name, key: "INSTANCE_KEY" }));
    const own = { name: "hush-key", key: "key" };
    const named = render({ ...POSTGRES, settingsFromSecrets: { INSTANCE_KEY: own } });
    expect([named.Secret, taken(named)]).toEqual([undefined, from(own)]);
  },
);

testWith("helm")("the Ingress leads host and path of the public URL to the Service", () => {
  const ingress = { ...INGRESS, className: "nginx", tlsSecret: "hush-tls" };
  const { Ingress, Service } = render({ publicUrl: "https://home.example:8443/hush", ingress });
  const backend = { service: { name: Service?.metadata.name, port: { name: "http" } } };
  expect(Ingress?.spec).toEqual({
    ingressClassName: "nginx",
    tls: [{ hosts: ["home.example"], secretName: "hush-tls" }],
    rules: [{ host: "home.example", http: { paths: [{ path: "/hush", pathType: "Prefix", backend }] } }],
  });
});

testWith("helm")("a proxy is believed where the Ingress is in front, unless a setting says otherwise", () => {
  const trusted = (values: object) =>
    podOf(render(values)).container.env.filter(({ name }) => name === "TRUST_PROXY");
  const is = (value: string) => [{ name: "TRUST_PROXY", value }];
  expect(trusted({ ingress: INGRESS })).toEqual(is("1"));
  expect(trusted({ ingress: INGRESS, settings: { TRUST_PROXY: 2 } })).toEqual(is("2"));
  expect(trusted({ settings: { TRUST_PROXY: "10.0.0.0/8" } })).toEqual(is("10.0.0.0/8"));
  expect(trusted({})).toEqual([]);
});

testWith("helm")("the digest of an image wins over its tag", () => {
  const digest = `sha256:${"0a".repeat(32)}`;
  const image = { digest, tag: "latest" };
  expect(podOf(render({ image })).container.image).toBe(`ghcr.io/hushkit/hushkit@${digest}`);
  expect(podOf(render({ image: { tag: "next" } })).container.image).toBe("ghcr.io/hushkit/hushkit:next");
});

const TCP = "TCP";
const DNS = expect.objectContaining({
  ports: ["UDP", TCP].map((protocol) => ({ protocol, port: 53 })),
});

function tcp(port: number) {
  return { ports: [{ protocol: TCP, port }] };
}

testWith("helm")("by itself it is reached from its namespace alone, and reaches nobody", () => {
  const { NetworkPolicy, Deployment } = render({});
  expect(NetworkPolicy?.spec).toMatchObject({
    podSelector: {
      matchLabels: { "app.kubernetes.io/name": "hushkit", "app.kubernetes.io/instance": "hush" },
    },
    policyTypes: ["Ingress", "Egress"],
    ingress: [{ from: [{ podSelector: {} }], ...tcp(3000) }],
    egress: [],
  });
  expect(Deployment?.spec).toMatchObject({ selector: NetworkPolicy?.spec.podSelector });
  expect(render({ networkPolicy: { enabled: false } }).NetworkPolicy).toBeUndefined();
});

testWith("helm")(
  "it is reached by the controller of the Ingress, and its metrics by whom a value names",
  () => {
    const peer = { podSelector: { matchLabels: { app: "prometheus" } } };
    const { NetworkPolicy } = render({
      ingress: INGRESS,
      settings: { METRICS_PORT: 9100 },
      networkPolicy: { from: [peer], metricsFrom: [peer] },
    });
    const controller = {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress-nginx" } },
    };
    expect(NetworkPolicy?.spec.ingress).toEqual([
      { from: [peer, controller], ...tcp(3000) },
      { from: [peer], ...tcp(9100) },
    ]);
  },
);

testWith("helm")("it reaches names, PostgreSQL, and the ports of what the settings have it call", () => {
  const urls = { OIDC_ISSUER: "https://id.example:8443/realm", WEBHOOK_URL: "https://hooks.example" };
  const egressOf = (values: object) => render(values).NetworkPolicy?.spec.egress;
  expect(egressOf({ ...POSTGRES, settings: urls })).toEqual([DNS, tcp(5432), tcp(8443), tcp(443)]);
  expect(egressOf({ ...POSTGRES, settings: { NOTIFY_HOSTS: "ntfy.sh" } })).toEqual([
    DNS,
    tcp(5432),
    tcp(443),
  ]);
  const secret = { name: "hush-oidc", key: "issuer" };
  const to = [{ ipBlock: { cidr: "192.0.2.0/24" } }];
  const networkPolicy = { webTo: to, databaseTo: to, databasePort: 6432, egress: [tcp(3128)] };
  expect(egressOf({ ...POSTGRES, networkPolicy, settingsFromSecrets: { OIDC_ISSUER: secret } })).toEqual([
    DNS,
    { ...tcp(6432), to },
    { ...tcp(443), to },
    tcp(3128),
  ]);
});

testWith("helm").each([
  ["no public URL", { publicUrl: "" }, "publicUrl: the base of the links"],
  ["several pods on SQLite", { replicas: 2 }, "replicas: two pods must not share one SQLite file"],
  [
    "an Ingress from nowhere",
    { ingress: { enabled: true } },
    "ingress.namespace, or networkPolicy.from: say",
  ],
  ["a balancer from nowhere", { service: { type: "LoadBalancer" } }, "networkPolicy.from: say where"],
  ["a digest that is none", { image: { digest: "latest" } }, "digest"],
  ["a setting that does not exist", { settings: { PROT: 1 } }, "'PROT'"],
  ["a value that does not exist", { replica: 2 }, "'replica'"],
])("refuses %s in a sentence", (_, values, sentence) => {
  const { status, stderr } = helm("template", { publicUrl: "https://hush.example", ...values });
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining(sentence)]);
});
