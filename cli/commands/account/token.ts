import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared } from "../../definition.ts";
import { chosenServer } from "../../server/connect.ts";
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
  return defineCommand("create", {
    summary: "Create a token and print it, once",
    examples: ["hushkit token create backup -x 30d > token.txt"],
  })
    .argument("<label>", "what it is for, to find it again in the list")
    .addOption(shared.expires())
    .addOption(new Option("--never-expires", "a token without an end").conflicts("expires"))
    .addOption(shared.loginName())
    .addOption(shared.loginCode())
    .addOption(shared.passwordFd())
    .addOption(shared.json())
    .action(async (label, { expires, neverExpires, json, ...who }) => {
      const { url } = await chosenServer(io);
      const lifetime = neverExpires ? { expires: null } : expires === undefined ? {} : { expires };
      const made = await withSession(io, {
        login: { url, ...who },
        work: (client) => client.tokens.create.mutate({ name: label, ...lifetime }),
      });
      if (json) return printJson(io, made);
      await print(io, `${made.token}\n`);
      await note(
        io,
        `It is shown once. It is valid ${made.expiry === null ? "for ever" : `until ${made.expiry}`}.`,
      );
    });
}

function listCommand(io: Io) {
  return defineCommand("list", {
    summary: "List your tokens, without their values",
    examples: ["hushkit token list --name ann"],
  })
    .addOption(shared.loginName())
    .addOption(shared.loginCode())
    .addOption(shared.passwordFd())
    .addOption(shared.json())
    .action(async ({ json, ...who }) => {
      const { url } = await chosenServer(io);
      const listed = await withSession(io, {
        login: { url, ...who },
        work: (client) => client.tokens.list.query({}),
      });
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
  {
    summary,
    list,
    remove,
    done,
  }: {
    summary: string;
    /** The sibling command that lists the ids. */
    list: string;
    remove: (client: Client, id: string) => Promise<object>;
    /** Printed when it is done. */
    done: string;
  },
) {
  const command = list.replace(/\w+$/, name);
  return defineCommand(name, { summary, examples: [`${command} q7Zk2PfW0LxT8nBy`] })
    .argument("<id>", `its id, as \`${list}\` shows it`)
    .addOption(shared.loginName())
    .addOption(shared.loginCode())
    .addOption(shared.passwordFd())
    .addOption(shared.json())
    .action(async (id, { json, ...who }) => {
      const { url } = await chosenServer(io);
      const answer = await withSession(io, {
        login: { url, ...who },
        work: (client) => remove(client, id),
      });
      if (json) await printJson(io, answer);
      else await note(io, done);
    });
}
