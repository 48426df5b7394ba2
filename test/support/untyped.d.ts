// As much of these packages, which have no types of their own, as the tests use.

declare module "express" {
  import type { Server } from "node:http";
  type Handler = ReturnType<typeof import("srvx/node").toNodeHandler>;
  interface Application {
    use(path: string, handler: Handler): Application;
    listen(port: number, host: string): Server;
  }
  export default function express(): Application;
}

declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";
  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Client: { find(id: string): Promise<{ backchannelLogout(sub: string): Promise<void> }> };
    readonly Grant: new (of: { clientId: string; accountId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
