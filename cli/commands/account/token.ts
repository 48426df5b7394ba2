import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared, withLogin } from "../../definition.ts";
import { withSession } from "../../server/session.ts";
import { note, print, printJson, type Io } from "../../terminal/io.ts";
import type { Client } from "../../../client/client.ts";

export function tokenCommand(io: Io) {
  return defineCommand("token", {
    summary: "Create, list and revoke API tokens",
    description: "Asks for name and password each time, because an API token may not manage tokens.",
    examples: ["hushkit token create backup -x 30d", "hushkit token list"],
  })
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(
      removeCommand(io, "revoke", {
        summary: "Revoke a token; the next call with it is refused",
        list: "hushkit token list",
        remove: (client, id) => client.tokens.revoke.mutate({ id }),
        done: "It is revoked.",
      }),
    );
}

function createCommand(io: Io) {
  return withLogin(
    defineCommand("create", {
      summary: "Create a token and print it, once",
      examples: ["hushkit token create backup -x 30d > token.txt"],
    })
      .argument("<label>", "what it is for, to find it again in the list")
      .addOption(shared.expires())
      .addOption(new Option("--never-expires", "a token without an end").conflicts("expires")),
  ).action(async (label, { expires, neverExpires, json, ...who }) => {
    const lifetime = neverExpires ? { expires: null } : expires === undefined ? {} : { expires };
    const made = await withSession(io, who, (client) =>
      client.tokens.create.mutate({ name: label, ...lifetime }),
    );
    if (json) return printJson(io, made);
    await print(io, `${made.token}\n`);
    await note(
      io,
      `It is shown once. It is valid ${made.expiry === null ? "for ever" : `until ${made.expiry}`}.`,
    );
  });
}

function listCommand(io: Io) {
  return withLogin(
    defineCommand("list", {
      summary: "List your tokens, without their values",
      examples: ["hushkit token list --name ann"],
    }),
  ).action(async ({ json, ...who }) => {
    const listed = await withSession(io, who, (client) => client.tokens.list.query({}));
    if (json) return printJson(io, listed);
    for (const { id, prefix, expiry, lastUsed, name } of listed.tokens) {
      await print(io, `${id}  ${prefix}  ${expiry ?? "never ends"}  ${lastUsed ?? "not used"}  ${name}\n`);
    }
  });
}

/** The command that removes one thing of an account by its id: a token or a hook. */
export function removeCommand<Name extends string>(
  io: Io,
  name: Name,
  of: {
    summary: string;
    /** The sibling command that lists the ids. */
    list: string;
    remove: (client: Client, id: string) => Promise<object>;
    /** Printed when it is done. */
    done: string;
  },
) {
  const { summary, list, remove, done } = of;
  const command = list.replace(/\w+$/, name);
  return withLogin(
    defineCommand(name, { summary, examples: [`${command} q7Zk2PfW0LxT8nBy`] }).argument(
      "<id>",
      `its id, as \`${list}\` shows it`,
    ),
  ).action(async (id, { json, ...who }) => {
    const answer = await withSession(io, who, (client) => remove(client, id));
    if (json) await printJson(io, answer);
    else await note(io, done);
  });
}
