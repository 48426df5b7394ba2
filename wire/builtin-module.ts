interface Host {
  getBuiltinModule?: (name: string) => unknown;
}

/**
 * A module that the runtime has, looked up at run time and not imported, so that what uses it loads everywhere. Node,
 * Deno, Bun and workers that are compatible with Node have them; a page and other workers do not. Next 16.4's edge
 * runtime has the function, but it throws. The shape of the module is its caller's to know: no runtime has types here.
 */
export function builtinModule<Module>(name: `node:${string}`): Module | undefined {
  try {
    return (globalThis as { process?: Host }).process?.getBuiltinModule?.(name) as Module | undefined;
  } catch {
    return undefined;
  }
}
