import { allVariables } from "./settings.ts";
import { variablesOf } from "./variables.ts";

const TITLES = {
  server: "The server",
  limits: "Limits",
  instance: "The instance",
  login: "Logging in",
  events: "Events",
} satisfies Record<keyof ReturnType<typeof variablesOf>, string>;

const INTRODUCTIONS: Partial<Record<keyof typeof TITLES, string>> = {
  limits:
    "The limits of callers are the API's, and these are its defaults. `GET /api/tools` says which ones hold; document, " +
    "pages and command line follow. A member's limit is never less than an anonymous caller's.",
  instance:
    "What people see of the instance. The pages stay the bytes of the release, so that `hushkit verify` holds; they " +
    "ask `GET /api/instance`.",
};

const BEGIN = "<!-- Written by `npm run settings`. -->";
const END = "<!-- The end of what is written. -->";

/** The guide, with the settings as the schema has them. */
export function withSettings(guide: string): string {
  const [from, to] = [guide.indexOf(BEGIN), guide.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`The guide has no place for settings: ${BEGIN} … ${END}`);
  return `${guide.slice(0, from + BEGIN.length)}\n\n${settings()}\n${guide.slice(to)}`;
}

const SET_BY_CHART = ["HOST", "PORT", "PUBLIC_URL", "DATABASE_URL"];

/** The schema of the chart's values, with the names of all other settings. */
export function withNames(schema: string): string {
  const names = Object.keys(allVariables()).filter((name) => !SET_BY_CHART.includes(name));
  const lines = names.map((name) => `\n        "${name}"`).join();
  return schema.replace(/(?<="setting": \{[^}]*"enum": \[)[^\]]*/, `${lines}\n      `);
}

function settings(): string {
  // Legal values depend on the machine only where they name it.
  const sections = Object.entries(variablesOf({ memoryBytes: 0, cores: 0 }));
  return sections.map(([name, variables]) => section(name as keyof typeof TITLES, variables)).join("\n");
}

function section(name: keyof typeof TITLES, variables: ReturnType<typeof variablesOf>[typeof name]): string {
  const rows = Object.entries(variables).map(([variable, { fallback, meaning, more, legal, hasFile }]) => {
    const text = [
      meaning,
      more,
      `Must be ${legal}.`,
      hasFile && `\`${variable}_FILE\` names a file with it instead.`,
    ]
      .filter(Boolean)
      .join(" ");
    return `| \`${variable}\` | \`${fallback}\` | ${text.replaceAll("|", "\\|")} |`;
  });
  const introduction = INTRODUCTIONS[name];
  return [
    `### ${TITLES[name]}\n`,
    ...(introduction ? [`${introduction}\n`] : []),
    "| name | default | what it does |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
