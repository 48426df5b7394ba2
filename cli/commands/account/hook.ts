import { Option } from "@commander-js/extra-typings";
import type { Client } from "../../../client/client.ts";
import { HOOK_EVENTS, HOOK_FORMS } from "../../../wire/hooks.ts";
import { defineCommand, withLogin } from "../../definition.ts";
import { usageError } from "../../exit.ts";
import { takeLink } from "../../server/links.ts";
import { withSession } from "../../server/session.ts";
import { note, print, printJson, type Io } from "../../terminal/io.ts";
import { removeCommand } from "./token.ts";

export function hookCommand(io: Io) {
  return defineCommand("hook", {
    summary: "Send events of your secrets and requests to a URL",
    description:
      "A hook is a URL that the server calls when one of your secrets was opened or a request was answered, without what " +
      "was in it. It can be at the hosts that the server's operator allows. Asks for name and password each time, because an " +
      "API token may not manage hooks.",
    examples: ["hushkit hook add https://ntfy.sh/TOPIC --form ntfy", "hushkit hook list"],
  })
    .addCommand(addCommand(io))
    .addCommand(changeCommand(io))
    .addCommand(listCommand(io))
    .addCommand(
      removeCommand(io, "remove", {
        summary: "Remove a hook; nothing more is told there",
        list: "hushkit hook list",
        remove: (client, id) => client.hooks.remove.mutate({ id }),
        done: "It is removed.",
      }),
    );
}

const formOption = () => new Option("--form <form>", "the format of the calls").choices(HOOK_FORMS);

function eventOption(description: string) {
  return new Option("--event <event...>", description).choices(HOOK_EVENTS);
}

function addCommand(io: Io) {
  return withLogin(
    defineCommand("add", {
      summary: "Add a hook, which is called once to test it",
      description:
        "With the standard form it prints the key that signs the calls, once (Standard Webhooks); the other forms send " +
        "sentences to these services.",
      examples: [
        "hushkit hook add https://ntfy.sh/TOPIC --form ntfy",
        "hushkit hook add - --form slack < url.txt",
        "hushkit hook add https://notify.example/in --event secret.revealed secret.locked",
      ],
    })
      .argument("<url>", 'where to call; "-" reads it from standard input, since it may hold a key')
      .addOption(formOption().default("standard" as const))
      .addOption(
        eventOption(
          "the events that it reports; by default when a secret was opened, has expired or was deleted after ten wrong passphrases, or a request was answered or has expired",
        ),
      ),
  ).action(async (operand, { form, event: events, json, ...who }) => {
    const url = await takeLink(io, operand);
    const made = await withSession(io, who, (client) =>
      client.hooks.create.mutate({ url, form, events: events && [...events] }),
    );
    if (json) return printJson(io, made);
    await tellPlaced(io, made);
  });
}

/** Prints where the hook sends its calls now and, for a new hook, the secret that signs them. */
async function tellPlaced(
  io: Io,
  { id, host, secret }: Awaited<ReturnType<Client["hooks"]["create"]["mutate"]>>,
): Promise<void> {
  if (secret !== null) await print(io, `${secret}\n`);
  const signs = secret === null ? "" : " The key above signs its calls, and is shown once.";
  await note(io, `${host} has taken the test call.${signs} To remove it: hushkit hook remove ${id}`);
}

function changeCommand(io: Io) {
  return withLogin(
    defineCommand("change", {
      summary: "Change the URL, the form or the events of a hook",
      description:
        "What you leave out stays. With --url or --form the hook is called once to test it, and an ended hook goes on. " +
        "If the form becomes standard, it prints the key that signs the calls, once.",
      examples: [
        "hushkit hook change q7Zk2PfW0LxT8nBy --event secret.revealed request.answered",
        "hushkit hook change q7Zk2PfW0LxT8nBy --url - --form slack < url.txt",
      ],
    })
      .argument("<id>", "its id, as `hushkit hook list` shows it")
      .option("--url <url>", 'where to call from now on; "-" reads it from standard input')
      .addOption(formOption())
      .addOption(eventOption("the events that it reports from now on")),
  ).action(async (id, { url: given, form, event, json, ...who }) => {
    if (given === undefined && form === undefined && event === undefined)
      throw usageError("Say what to change: --url, --form or --event.");
    const url = given && (await takeLink(io, given));
    const events = event && [...event];
    const changed = await withSession(io, who, (client) =>
      client.hooks.change.mutate({ id, url, form, events }),
    );
    if (json) return printJson(io, changed);
    if (url !== undefined || form !== undefined) await tellPlaced(io, changed);
    else await note(io, "It is changed.");
  });
}

function listCommand(io: Io) {
  return withLogin(
    defineCommand("list", {
      summary: "List your hooks, without their URLs, and the hosts that they can be at",
      examples: ["hushkit hook list --name ann"],
    }),
  ).action(async ({ json, ...who }) => {
    const listed = await withSession(io, who, (client) => client.hooks.list.query({}));
    if (json) return printJson(io, listed);
    for (const { id, form, host, events, ended } of listed.hooks)
      await print(
        io,
        `${id}  ${form.padEnd(8)}  ${host}  ${ended === null ? events.join(",") : `ended ${ended}`}\n`,
      );
    const hosts = listed.hosts.join(", ") || "none: this server calls no hooks";
    await note(io, `Hosts that this server calls: ${hosts}.`);
  });
}
