interface Host {
  getBuiltinModule?: (name: string) => unknown;
}

const host = (globalThis as { process?: Host }).process;

/**
 * A module that the runtime has, looked up at run time and not imported, so that what uses it loads everywhere. Node,
 * Deno, Bun and workers that are compatible with Node have them; a page and other workers do not, and in the edge
 * runtime of Next 16.4 the function throws. The shape of the module is its caller's to know: no runtime has types here.
 * Undefined where there is nothing to ask, so that the pages are built without what would follow from it.
 */
export const builtinModule = host && findModule(host);

function findModule(of: Host) {
  return <Module>(name: `node:${string}`): Module | undefined => {
    try {
      return of.getBuiltinModule?.(name) as Module | undefined;
    } catch {
      return undefined;
    }
  };
}
