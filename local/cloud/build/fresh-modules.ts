import { realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isPackage, packageFolder } from "../../../build/folders.ts";

export interface FreshModules {
  /** Loads it and the project's modules that it imports again. Packages are loaded once. */
  load<T>(file: string): Promise<T>;
  /**
   * Returns every file of the project that was loaded since the last `renew`, relative to the project's
   * folder.
   */
  files(): readonly string[];
  renew(): void;
}

/** Makes a module's address another module for Node. Its imports inherit it. */
const parameter = "generation";

/** Its hooks apply to the whole thread. */
export function loadFreshModules(projectFolder: string): FreshModules {
  const folder = realpathSync(projectFolder);
  const base = `${pathToFileURL(folder).href}/`;
  const packageBase = `${pathToFileURL(packageFolder).href}/`;
  const loaded = new Set<string>();
  const isOfPackage = (url: string) =>
    isPackage && url.startsWith(packageBase) && !url.slice(packageBase.length).includes("node_modules/");
  let generation = 1;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = nextResolve(specifier, context);
      const parent = context.parentURL === undefined ? null : URL.parse(context.parentURL);
      const inherited =
        parent?.searchParams.get(parameter) ?? URL.parse(found.url)?.searchParams.get(parameter);
      const isOurs = found.url.startsWith(base) && !found.url.includes("/node_modules/");
      // The package's modules that read the project's are loaded again, too.
      const isRead = isOurs || isOfPackage(found.url);
      if (!isRead || inherited === null || inherited === undefined) return found;
      const url = new URL(found.url);
      url.searchParams.set(parameter, inherited);
      if (isOurs && inherited === String(generation)) {
        loaded.add(
          fileURLToPath(new URL(url.pathname, url))
            .slice(folder.length + 1)
            .replaceAll(sep, "/"),
        );
      }
      return { ...found, url: url.href };
    },
  });
  return {
    load: (file) => import(`${pathToFileURL(join(folder, file)).href}?${parameter}=${generation}`),
    files: () => [...loaded],
    renew() {
      generation += 1;
      loaded.clear();
    },
  };
}
