import type { OperationFacts } from "./operations.ts";
import type { Step } from "./scenario.ts";
import { camelCase, list, type Generator } from "./write-calls.ts";

// Of an operation that takes a file as it is and in a form, these two take the type of the one and send it as the
// other. So each of their clients is made of a document with one kind of body.

const narrowed = (name: string, status: number) =>
  `if (${name}.status !== ${status}) throw new Error(JSON.stringify(${name}));`;

/** What stands between the braces of an object. */
const inside = (object: string | undefined) => object?.replace(/^\{ ?| ?\}$/g, "");

const named = (headers: string | undefined) =>
  headers?.replace(
    /"([\w-]+)":/g,
    (_, name: string) => `${camelCase(name[0]!.toLowerCase() + name.slice(1))}:`,
  );

function oazapftsArguments(step: Step, operation: OperationFacts, body: string | undefined): string {
  const beside = list([inside(step.query), inside(named(step.headers))]);
  return list([step.id, operation.hasBody && (body ?? "{}"), beside && `{ ${beside} }`]);
}

/** It reads what is no JSON as text, also where the answer is a file and only an error is JSON: there is the envelope for that. */
export const oazapfts: Generator = {
  name: "oazapfts",
  packages: ["oazapfts@7.5.0", "@oazapfts/runtime@1.2.0"],
  files: {},
  commands: [
    ["node_modules/oazapfts/dist/cli.js", "raw.json", "api.ts"],
    ["node_modules/oazapfts/dist/cli.js", "forms.json", "forms.ts"],
  ],
  imports: `import * as api from "./api";
    import * as forms from "./forms";
    for (const each of [api, forms]) each.defaults.baseUrl = base;`,
  misreads: ({ isBinary }) => isBinary,
  call: (step, operation, result) =>
    `const from${result} = await api.${camelCase(step.call)}(${oazapftsArguments(step, operation, step.body)});
    ${narrowed(`from${result}`, operation.status)}
    const ${result} = from${result}.data;`,
  callForm: (step, operation, result) =>
    `const from${result} = await forms.${camelCase(step.call)}(${oazapftsArguments({ ...step, headers: "" }, operation, step.form)});
    ${narrowed(`from${result}`, operation.status)}
    const ${result} = from${result}.data;`,
  callFailing: (step, operation) =>
    `const answer = await api.${camelCase(step.call)}(${oazapftsArguments(step, operation, step.body)});
    ${narrowed("answer", step.fails?.[0] ?? 0)}
    if (answer.data.code !== "${step.fails?.[1]}") throw new Error(JSON.stringify(answer));`,
};

interface SwaggerCall {
  readonly client: "rawClient" | "formClient";
  readonly body: string | undefined;
}

function swaggerCall(
  step: Step,
  { path, hasBody, hasQuery }: OperationFacts,
  { client, body }: SwaggerCall,
): string {
  const [, first = ""] = path.split("/");
  const isPlain = /^\w+$/.test(first);
  const name = step.call.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const args = [
    step.id,
    hasBody && (body ?? "{}"),
    hasQuery && (step.query ?? "{}"),
    step.headers && `{ headers: ${step.headers} }`,
  ];
  return `${client}${isPlain ? `.${first}` : ""}.${name}(${list(args)})`;
}

const SWAGGER = ["node_modules/swagger-typescript-api/dist/cli.mjs", "generate", "--output", "."];

export const swaggerTypescriptApi: Generator = {
  name: "swagger-typescript-api",
  packages: ["swagger-typescript-api@13.13.0"],
  files: {
    // Its own way to send writes a file as JSON, and a list of files as one; it reads no text.
    "request.ts": `
      interface Sent {
        path: string;
        method?: string;
        query?: Record<string, unknown>;
        body?: unknown;
        type?: string;
        headers?: HeadersInit;
      }
      interface Answer<Data, Failure> extends Response { data: Data; error: Failure }
      const pairs = (fields: object): [string, unknown][] =>
        Object.entries(fields).flatMap(([name, value]) =>
          (Array.isArray(value) ? value : [value]).map((each): [string, unknown] => [name, each]),
        );
      function formOf(fields: object): FormData {
        const form = new FormData();
        for (const [name, value] of pairs(fields)) form.append(name, value instanceof Blob ? value : String(value));
        return form;
      }
      export const requestTo = (base: string) =>
        async <Data, Failure>({ path, method = "GET", query = {}, body, type, ...sent }: Sent): Promise<Answer<Data, Failure>> => {
          const search = new URLSearchParams(pairs(query).map(([name, value]) => [name, String(value)]));
          const headers = new Headers(sent.headers);
          const isForm = type === "multipart/form-data";
          if (type !== undefined && !isForm) headers.set("content-type", type);
          const written = body instanceof Blob ? body : isForm ? formOf(Object(body)) : JSON.stringify(body);
          const response = await fetch(base + path + "?" + search, { method, headers, body: written });
          const as = response.headers.get("content-type") ?? "";
          const data = await response[as.includes("json") ? "json" : as.startsWith("text/") ? "text" : "blob"]();
          const answer = Object.assign(response, { data, error: data });
          if (!response.ok) throw new Error(JSON.stringify(data));
          return answer;
        };`,
  },
  commands: [
    [...SWAGGER, "--path", "raw.json", "--name", "api.ts"],
    [...SWAGGER, "--path", "forms.json", "--name", "forms.ts"],
  ],
  imports: `import * as api from "./api";
    import * as forms from "./forms";
    import { requestTo } from "./request";
    const rawClient = new api.Api();
    const formClient = new forms.Api();
    for (const client of [rawClient, formClient]) client.request = requestTo(base);`,
  call: (step, operation, result) =>
    `const { data: ${result} } = await ${swaggerCall(step, operation, { client: "rawClient", body: step.body })};`,
  callForm: (step, operation, result) =>
    `const { data: ${result} } = await ${swaggerCall({ ...step, headers: "" }, operation, { client: "formClient", body: step.form })};`,
};
