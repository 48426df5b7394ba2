/** Another service that hands over secrets by links. */
interface Neighbour {
  readonly name: string;
  /** The address after its scheme, without the punctuation around a link. */
  readonly form: RegExp;
  /** How it is opened, beside in a browser. */
  readonly command?: string;
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Most can be run by anybody: what tells them apart is the form of the link, not the host. */
const NEIGHBOURS: readonly Neighbour[] = [
  { name: "Yopass", form: new RegExp(`/#/[scfd]/${UUID}`, "i"), command: "yopass --decrypt LINK" },
  { name: "PrivateBin", form: /\/\?(?:[^#&]*&)?[0-9a-f]{16}(?:&[^#]*)?#-?[1-9A-HJ-NP-Za-km-z]{40,46}$/ },
  { name: "Bitwarden Send", form: /\/#\/send\/[\w-]{22}\/[\w-]{22}$/, command: "bw send receive LINK" },
  {
    name: "Bitwarden Send",
    form: /^send\.bitwarden\.\w+\/#[\w-]{22}\/[\w-]{22}$/,
    command: "bw send receive LINK",
  },
  { name: "cryptgeon", form: /\/note\/[\w-]+(?:#[\w-]+)?$/, command: "cryptgeon open LINK" },
  {
    name: "Enclosed",
    form: /\/[0-9a-hjkmnp-tv-z]{26}#(?:(?:pw|dar):)*[\w-]{40,50}$/i,
    command: "enclosed view LINK",
  },
  { name: "Hemmelig", form: /\/secret\/[\w-]+#(?:encryption_?key=|decryptionKey=)?\S+$/i },
  { name: "One-Time Secret", form: /\/(?:secret|private|receipt)\/[0-9a-z]{20,80}$/i },
  { name: "One-Time Secret", form: /(?:^|\.)onetimesecret\.(?:com|dev)\//i },
  { name: "Password Pusher", form: /(?:^|\.)pwpush\.com\/(?:\w\w(?:-\w+)?\/)?[pfr]\//i },
  { name: "Password Pusher", form: /\/(?:\w\w(?:-\w+)?\/)?[pf]\/[\w-]{8,32}(?:\/(?:r|preview))?$/ },
  { name: "Send", form: /\/download\/[0-9a-f]{10,16}\/?#[\w-]{22}$/i, command: "ffsend download LINK" },
  { name: "SnapPass", form: /\/(?:[\w-]+)?snappass[0-9a-f]{32}(?:~|%7e)[\w%=-]{40,60}$/i },
  { name: "1Password", form: /^share\.1password\.(?:com|eu|ca)\/s(?:\/\w*)?#\S+$/ },
  { name: "Proton Pass", form: /^pass\.proton\.me\/secure\/\S+$/ },
  { name: "Privnote", form: /^privnote\.com\/\w+#\w+$/ },
  { name: "scrt.link", form: /^scrt\.link\/\S+$/ },
  { name: "Wormhole", form: /^wormhole\.app\/\w+#[\w-]+$/ },
];

/**
 * What to do with a link of another service; undefined for what is none that is known. It is decided by the text alone:
 * asking the service would use up some of them.
 */
export function adviseOnNeighbour(text: string): string | undefined {
  const [, address] = /https?:\/\/(\S+?)[.,;:!?)\]>"'*]*(?:\s|$)/i.exec(text.trim()) ?? [];
  const found = NEIGHBOURS.find(({ form }) => address !== undefined && form.test(address));
  if (!found) return undefined;
  const command = found.command === undefined ? "" : `, or with \`${found.command}\``;
  return `This looks like a link of ${found.name}, which Hushkit does not open: open it in a browser${command}. Nothing was asked of anybody.`;
}
