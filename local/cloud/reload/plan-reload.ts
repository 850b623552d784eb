import { isFileOfInstaller } from "../../../build/folders.ts";
import type { Bundle } from "../build/bundling.ts";

/** What an edit touches. */
export interface ReloadPlan {
  /** The bundler's own modules are as they were before: it loads them anew. */
  readonly renewsBundler: boolean;
  readonly checksConfig: boolean;
  /** What serverless.yml says may be something else. */
  readonly resolves: boolean;
  /** Files of functions whose bundles may become others. */
  readonly entries: readonly string[];
}

/** What decides how all is bundled. */
const isRootFile = (file: string) =>
  file === "package.json" || file === "tsconfig.json" || isFileOfInstaller(file);

/** Read by the check of config/, beside config/ itself (build/check-config-files.ts). */
const checkedFiles = new Set(["serverless.yml", "functions/own/triggers.ts", "functions/triggers/index.ts"]);

/**
 * Says what an edit touches. Rather too much than too little: what stays the same byte for byte is not run anew.
 * @param bundles what is known of each bundle, of those that failed, too
 * @param ownFiles the files that the bundler's plugins and checks are made of
 */
export function planReload(
  changed: readonly string[],
  bundles: readonly Bundle[],
  ownFiles: ReadonlySet<string>,
): ReloadPlan {
  const isConfig = (file: string) => file.startsWith("config/");
  const isScript = (file: string) => file.startsWith("build/") || ownFiles.has(file);
  const isDeclared = (file: string) => /\.(ya?ml|json)$/.test(file) && !file.includes("node_modules/");
  const renewsBundler = changed.some(isScript);
  const touchesAll = renewsBundler || changed.some(isRootFile);
  const touchesConfig = changed.some(isConfig);
  const files = new Set(changed);
  const defaults = changed.flatMap(defaultOf);
  const isTouched = (input: string) => files.has(input) || defaults.some((file) => input.endsWith(file));
  return {
    renewsBundler,
    checksConfig:
      renewsBundler ||
      touchesConfig ||
      changed.some((file) => checkedFiles.has(file) || /^functions\/own\/.*\.yml$/.test(file)),
    resolves: changed.some((file) => isDeclared(file) || file.startsWith("build/")),
    entries: bundles
      .filter(
        ({ inputs }) =>
          touchesAll ||
          // A file of config/ is made of those of stages and apps, too.
          (touchesConfig && inputs.some(isConfig)) ||
          inputs.some(isTouched),
      )
      .map(({ entry }) => entry),
  };
}

/** A file of functions/own/ that an app begins to have is taken in the place of the package's, wherever an installer puts that. */
function defaultOf(file: string): readonly string[] {
  const [, name] = /^functions\/own\/([\w-]+)\.ts$/.exec(file) ?? [];
  return name === undefined ? [] : [`node_modules/cometchat-functions/functions/own/${name}.js`];
}
