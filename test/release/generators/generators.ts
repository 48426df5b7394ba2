import { oazapfts, swaggerTypescriptApi } from "./one-body.ts";
import type { OperationFacts } from "./operations.ts";
import type { Step } from "./scenario.ts";
import { camelCase, entry, list, type Generator } from "./write-calls.ts";

function heyOptions({ id, query, headers, body }: Step, ...more: string[]): string {
  const path = id && `path: { id: ${id} }`;
  return `{ ${list([path, entry("query", query), entry("headers", headers), entry("body", body), ...more])} }`;
}

const heyApi: Generator = {
  name: "hey-api",
  packages: ["@hey-api/openapi-ts@0.99.0"],
  files: {},
  commands: [["node_modules/@hey-api/openapi-ts/bin/run.js", "-i", "openapi.json", "-o", "out"]],
  imports: `import * as api from "./out/sdk.gen";\nimport { client } from "./out/client.gen";\nclient.setConfig({ baseUrl: base });`,
  call: (step, { isEvents }, result) =>
    isEvents
      ? `const { stream } = await api.${camelCase(step.call)}(${heyOptions(step)});
    let ${result} = "";
    for await (const event of stream) ${result} += JSON.stringify(event);`
      : `const { data: ${result} } = await api.${camelCase(step.call)}(${heyOptions(step, "throwOnError: true")});`,
  // For a stream it tries again and again.
  callFailing: (step, { isEvents }) =>
    !isEvents &&
    `const { error } = await api.${camelCase(step.call)}(${heyOptions(step)});
    if (error?.code !== "${step.fails?.[1]}") throw new Error(JSON.stringify(error));`,
};

function fetchOptions({ id, query, headers, body }: Step, { isBinary, isText }: OperationFacts): string {
  const path = id && `path: { id: ${id} }`;
  const isFile = body?.startsWith("files.");
  const params = list([path, entry("query", query), entry("header", headers)]);
  return `{ ${list([
    params && `params: { ${params} }`,
    entry("body", body),
    isFile && `bodySerializer: (file) => file, headers: { "Content-Type": "application/octet-stream" }`,
    isBinary && `parseAs: "blob"`,
    isText && `parseAs: "text"`,
  ])} }`;
}

const openapiFetch: Generator = {
  name: "openapi-typescript with openapi-fetch",
  packages: ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0"],
  files: {
    // By itself a binary string is a string, and what has a default must be sent.
    "generate.mjs": `
      import { writeFileSync } from "node:fs";
      import ts from "typescript";
      import openapiTS, { astToString } from "openapi-typescript";
      const BLOB = ts.factory.createTypeReferenceNode(ts.factory.createIdentifier("Blob"));
      const transform = ({ format }) => (format === "binary" ? BLOB : undefined);
      const nodes = await openapiTS(new URL("openapi.json", import.meta.url), { transform, defaultNonNullable: false });
      writeFileSync("api.d.ts", astToString(nodes));`,
  },
  commands: [["generate.mjs"]],
  imports: `import createClient from "openapi-fetch";
    import type { paths } from "./api";
    const api = createClient<paths>({ baseUrl: base });
    function ok<Data>(answer: { data?: Data; error?: unknown }): Data {
      if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
      return answer.data;
    }
    function toForm(fields: object): FormData {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields))
        for (const each of Array.isArray(value) ? value : [value])
          form.append(name, each instanceof Blob ? each : String(each));
      return form;
    }`,
  call: (step, operation, result) =>
    `const ${result} = ok(await api.${operation.method}("${operation.path}", ${fetchOptions(step, operation)}));`,
  callForm: (step, { method, path, isBinary }, result) =>
    `const ${result} = ok(await api.${method}("${path}", { ${list([
      step.query && `params: { query: ${step.query} }`,
      `body: ${step.form}`,
      "bodySerializer: toForm",
      isBinary && `parseAs: "blob"`,
    ])} }));`,
  callFailing: (step, operation) =>
    `const { error } = await api.${operation.method}("${operation.path}", ${fetchOptions(step, operation)});
    if (error?.code !== "${step.fails?.[1]}") throw new Error(JSON.stringify(error));`,
};

function orvalArguments({ id, query, headers, body }: Step, { hasQuery, hasBody }: OperationFacts): string {
  return list([
    id,
    hasBody && (body ?? "{}"),
    hasQuery && (query ?? "undefined"),
    headers && `{ headers: ${headers} }`,
  ]);
}

const narrowed = (name: string, status: number) =>
  `if (${name}.status !== ${status}) throw new Error(JSON.stringify(${name}));`;

const isForForms = ({ types }: OperationFacts) =>
  !types.some((type) => type === "application/json" || type === "application/octet-stream");

const orval: Generator = {
  name: "orval",
  packages: ["orval@8.30.0"],
  files: {
    // What it includes counts for bodies and answers alike.
    "orval.config.mjs": `
      const FORMS = ["multipart/form-data", "application/pdf", "application/zip", "image/webp"];
      const output = (target, contentType) => ({
        input: "openapi.json",
        output: { target, client: "fetch", mode: "single", override: { contentType } },
      });
      export default {
        api: output("./out/api.ts", { exclude: ["multipart/form-data", "application/x-www-form-urlencoded"] }),
        forms: output("./out/forms.ts", { include: FORMS }),
      };`,
  },
  commands: [["node_modules/orval/dist/bin/orval.mjs"]],
  imports: `import * as api from "./out/api";\nimport * as forms from "./out/forms";`,
  call: (step, operation, result) =>
    `const from${result} = await api.${camelCase(step.call)}(${orvalArguments(step, operation)});
    ${narrowed(`from${result}`, operation.status)}
    const ${result} = from${result}.data;`,
  callForm: (step, operation, result) =>
    isForForms(operation) &&
    `const from${result} = await forms.${camelCase(step.call)}(${list([step.form, operation.hasQuery && step.query])});
    ${narrowed(`from${result}`, operation.status)}
    const ${result} = from${result}.data;`,
  // It reads the error of a call that would answer a file as a file, and types it as an error.
  callFailing: (step, operation) =>
    !operation.isBinary &&
    `const answer = await api.${camelCase(step.call)}(${orvalArguments(step, operation)});
    ${narrowed("answer", step.fails?.[0] ?? 0)}
    if (answer.data.code !== "${step.fails?.[1]}") throw new Error(JSON.stringify(answer));`,
};

function kubbOptions({ id, query, headers, body }: Step): string {
  const given = list([
    entry("id", id),
    entry("data", body),
    entry("params", query),
    entry("headers", headers),
  ]);
  return given && `{ ${given} }`;
}

// Where an operation takes several kinds of body, it knows the first.
const kubb: Generator = {
  name: "kubb",
  packages: ["cli", "core", "plugin-oas", "plugin-ts", "plugin-client"].map((name) => `@kubb/${name}@4.39.3`),
  files: {
    "kubb.config.mjs": `
      import { defineConfig } from "@kubb/core";
      import { pluginOas } from "@kubb/plugin-oas";
      import { pluginTs } from "@kubb/plugin-ts";
      import { pluginClient } from "@kubb/plugin-client";
      export default defineConfig({
        root: ".",
        input: { path: "openapi.json" },
        output: { path: "./out", clean: true },
        plugins: [
          pluginOas({ generators: [] }),
          pluginTs(),
          pluginClient({ importPath: "../../client", paramsType: "object" }),
        ],
      });`,
    // Its own client for fetch reads every answer as JSON and sends every body as JSON.
    "client.ts": `
      export type RequestConfig<Data = unknown> = {
        url?: string;
        method?: string;
        params?: object;
        data?: Data | FormData;
        headers?: Record<string, string>;
      };
      export type ResponseConfig<Data> = { data: Data; status: number };
      export type ResponseErrorConfig<Failure = unknown> = Failure;
      export type Client = typeof client;
      export default async function client<Data, _Failure = unknown, Body = unknown>(
        { url = "", method = "GET", params = {}, data, headers = {} }: RequestConfig<Body>,
      ): Promise<ResponseConfig<Data>> {
        const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
        const isWhole = data instanceof FormData || data instanceof Blob;
        const contentType: Record<string, string> = isWhole || data === undefined ? {} : { "content-type": "application/json" };
        const body = isWhole ? data : JSON.stringify(data);
        const { "Content-Type": _, ...own } = headers;
        const response = await fetch(url + "?" + query, { method, body, headers: { ...contentType, ...own } });
        if (!response.ok) throw new Error(await response.text());
        const type = response.headers.get("content-type") ?? "";
        const read = type.includes("json") ? "json" : type.startsWith("text/") ? "text" : "blob";
        return { data: await response[read](), status: response.status };
      }`,
  },
  commands: [["node_modules/@kubb/cli/bin/kubb.cjs", "generate"]],
  imports: `import * as api from "./out/index";`,
  call: (step, _, result) => `const ${result} = await api.${camelCase(step.call)}(${kubbOptions(step)});`,
};

export const GENERATORS: readonly Generator[] = [
  ...[heyApi, openapiFetch, orval, kubb],
  ...[swaggerTypescriptApi, oazapfts],
];
