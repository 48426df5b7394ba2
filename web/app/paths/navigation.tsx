import { useLayoutEffect, useRef } from "preact/hooks";
import { type PageName, pathOf } from "../../../wire/pages.ts";
import { mayBeMember } from "../../api/limits.ts";
import { Icon } from "../../parts/icon.tsx";
import { words } from "../language/words.ts";
import { isOffered, TOOLS } from "./pages.ts";
import { memberName } from "../owner.ts";
import { hrefTo } from "./base.ts";

/** The three areas of the pages. On a tool's page, the tools are the current one. */
export function Navigation({ path }: { path: string }) {
  const { navigation, to } = words().frame;
  const isTool = TOOLS.some((tool) => tool.path === path);
  return (
    <nav class="to" aria-label={navigation}>
      {(["share", "ask", "tools"] as const).map((name) => (
        <a
          key={name}
          href={hrefTo(pathOf(name))}
          aria-current={isTool && name === "tools" ? "true" : currentAt(name, path)}
        >
          {to[name]}
        </a>
      ))}
    </nav>
  );
}

/** The logged-in member, or a link to the login. */
export function AccountLink({ path }: { path: string }) {
  const { pages, members } = words();
  const name = memberName.value;
  return (
    <a class="me" href={hrefTo(pathOf("account"))} aria-current={currentAt("account", path)}>
      <Icon name="person" />
      <span class="name">{mayBeMember() ? name || pages.account.label : members.login}</span>
    </a>
  );
}

/** On a tool's page, the other tools of its group. */
export function Strip({ path }: { path: string }) {
  const strip = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Where not all of them fit, the current one is among those that are seen.
    const current = strip.current?.querySelector("[aria-current]");
    if (strip.current && current) strip.current.scrollLeft += middleOf(current) - middleOf(strip.current);
  }, [path]);
  const here = TOOLS.find((tool) => tool.path === path);
  if (!here) return null;
  const group = here.group ?? "Files";
  return (
    <nav ref={strip} class="strip" aria-label={words().frame.groups[group]}>
      {TOOLS.filter(({ name, group: of }) => of === group && isOffered(name)).map(
        ({ path: to, name, icon }) => (
          <a key={to} href={hrefTo(to)} aria-current={to === path ? "page" : undefined}>
            <Icon name={icon} />
            {words().pages[name].label}
          </a>
        ),
      )}
    </nav>
  );
}

function middleOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect();
  return (left + right) / 2;
}

function currentAt(name: PageName, path: string): "page" | undefined {
  return pathOf(name) === path ? "page" : undefined;
}
