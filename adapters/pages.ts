import { readFileSync } from "node:fs";
import { FastResponse } from "srvx";
import type { Handle, Route } from "./app.ts";
import { baseHeaders } from "./write.ts";

const TEXT = `Hushkit: hand over a secret once, and do something to a file.

Share    curl --data-binary @- "URL/?raw=true"
Rotate   curl --data-binary @in.pdf "URL/api/tools/pdf-rotate?angle=90" -o out.pdf

Everything there is: URL/api/tools, as OpenAPI: URL/api/openapi.json
`;

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** What a browser is shown: how to call the service, and the page on which a link opens. */
export function pageRoutes(publicUrl: string): Route[] {
  const open = fromFile("open.html", "text/html; charset=utf-8");
  return [
    page("/", () => ({ body: TEXT.replaceAll("URL", publicUrl), type: "text/plain; charset=utf-8" })),
    page("/s/:id", open),
    page("/assets/open.js", fromFile("open.js", "text/javascript; charset=utf-8")),
    page("/assets/open.css", fromFile("open.css", "text/css; charset=utf-8")),
  ];
}

interface Shown {
  readonly body: string;
  readonly type: string;
}

function fromFile(name: string, type: string): () => Shown {
  const body = readFileSync(new URL(`../web/${name}`, import.meta.url), "utf8");
  return () => ({ body, type });
}

function page(path: string, make: () => Shown): Route {
  const handle: Handle = (exchange) => {
    const { body, type } = make();
    const headers = baseHeaders(exchange);
    headers.set("Content-Type", type);
    headers.set("Content-Security-Policy", PAGE_POLICY);
    return new FastResponse(body, { headers });
  };
  return { path, cors: false, methods: { GET: handle } };
}
