import { isFileOfInstaller } from "../../../build/folders.ts";
import type { Bundle } from "../build/bundling.ts";

export interface ReloadPlan {
  readonly renewsBundler: boolean;
  readonly checksConfig: boolean;
  readonly resolves: boolean;
  readonly entries: readonly string[];
}

const isRootFile = (file: string) =>
  file === "package.json" || file === "tsconfig.json" || isFileOfInstaller(file);

/** Files of config/'s check (build/check-config-files.ts). */
const checkedFiles = new Set([
  "serverless.yml",
  "functions/own/flows.ts",
  "functions/own/triggers.ts",
  "functions/triggers/index.ts",
]);

/**
 * Lists what a change affects, perhaps too much.
 * @param bundles the latest of each entry
 * @param ownFiles of the bundler's plugins and checks
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
          // Files of stages and apps are merged.
          (touchesConfig && inputs.some(isConfig)) ||
          inputs.some(isTouched),
      )
      .map(({ entry }) => entry),
  };
}

/** A new file in functions/own/ replaces the default. */
function defaultOf(file: string): readonly string[] {
  const [, name] = /^functions\/own\/([\w-]+)\.ts$/.exec(file) ?? [];
  return name === undefined ? [] : [`node_modules/cometchat-functions/functions/own/${name}.js`];
}
