import { extname } from "node:path";
import { showName } from "../../wire/escaped-name.ts";
import { CliError, usageError } from "../exit.ts";
import { note, type Io, showControls } from "../terminal/io.ts";

/** Names that Windows runs, installs or applies when they are opened: PATHEXT, script hosts, links, installers. */
const WINDOWS =
  "com exe bat cmd pif scr cpl msc msi msp mst msu msix msixbundle appx appxbundle appinstaller application " +
  "vb vbs vbe js jse ws wsf wsh wsc sct ps1 ps1xml ps2 psc1 psc2 psd1 psm1 hta chm hlp reg inf ins isp " +
  "lnk url scf shb shs website library-ms search-ms searchconnector-ms settingcontent-ms themepack theme " +
  "dll ocx sys drv xll gadget diagcab jar jnlp py pyw pyc pyz pyzw";
const MACOS =
  "app command tool terminal workflow action scpt scptd applescript osax pkg mpkg prefpane saver " +
  "mobileconfig shortcut webloc inetloc fileloc";
const LINUX = "desktop sh bash zsh csh ksh fish run appimage flatpakref deb rpm pl rb";

const PROGRAMS: ReadonlySet<string> = new Set([WINDOWS, MACOS, LINUX].flatMap((list) => list.split(" ")));

/** Windows reads these in any folder by itself. */
const READ_UNASKED: ReadonlySet<string> = new Set(["autorun.inf", "desktop.ini"]);

/**
 * The reason to ask somebody before a file gets this name, which others chose, or this path below a chosen folder. Only
 * the name decides, never the content. Undefined for a harmless name.
 */
export async function whyDangerous(path: string): Promise<string | undefined> {
  const { cleanFileName } = await import("../../tools/file/file-name.ts");
  const parts = path.split(/[/\\]/);
  if (parts.some((part) => part.startsWith(".")))
    return "it begins with a dot, so programs may read it by themselves";
  // Invisible characters, and all that Windows drops or replaces.
  if (parts.some((part) => cleanFileName(part) !== part.normalize("NFC")))
    return "it has characters that are not shown, or that some systems take for something else";
  const name = (parts.at(-1) ?? "").toLowerCase();
  const isProgram = PROGRAMS.has(extname(name).slice(1)) || READ_UNASKED.has(name);
  return isProgram ? "some systems run or obey such a file" : undefined;
}

interface GivenName {
  /** Where the file goes, by the name that it came with. */
  readonly path: string;
  readonly name: string;
  /** Whether dangerous names are accepted without asking. */
  readonly anyName: boolean | undefined;
}

/**
 * Says which name a file gets, and asks before it takes a dangerous one. For files that can be fetched again: it stops
 * where nobody agrees.
 * @throws CliError usage
 */
export async function agreeToName(io: Io, { path, name, anyName }: GivenName): Promise<void> {
  const reason = anyName ? undefined : await whyDangerous(name);
  if (reason !== undefined) await ask(io, `This would write ${showName(path)}: ${reason}.`);
  await note(io, `Writing ${showName(path)}`);
}

async function ask(io: Io, sentence: string): Promise<void> {
  if (!io.ask) throw refused(`${sentence} Nothing was written`);
  const answer = await io.ask(`${showControls(sentence)} Write it? [y/N] `, { isHidden: false });
  if (!/^y(?:es)?$/i.test(answer.trim())) throw refused("Nothing was written");
}

function refused(sentence: string): CliError {
  return usageError(`${sentence}: --output FILE gives it another name, --any-name takes this one.`);
}

/**
 * A safe name for a file that cannot be fetched again, when nobody can be asked any more: programs get `.bin` added,
 * which no system runs.
 */
export async function harmlessName(name: string, { anyName }: Pick<GivenName, "anyName">): Promise<string> {
  if (anyName || (await whyDangerous(name)) === undefined) return name;
  const { cleanFileName } = await import("../../tools/file/file-name.ts");
  return cleanFileName(`${name}.bin`);
}
