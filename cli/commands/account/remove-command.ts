import type { Client } from "../../../client/client.ts";
import { defineCommand, shared } from "../../definition.ts";
import { chosenServer } from "../../server/connect.ts";
import { withSession } from "../../server/session.ts";
import { note, printJson, type Io } from "../../terminal/io.ts";

/** The command that ends one thing of an account, by its id: a token, a hook. */
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
    /** The command that shows the ids, which stands beside this one. */
    list: string;
    remove: (client: Client, id: string) => Promise<object>;
    /** Said when it is done. */
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
