import { dirname } from "node:path";
import { isRecord } from "../lib/base/json.ts";
import { checkPlain, plainText } from "../lib/chat/check-plain.ts";
import { configFileMeant } from "./config-modules.ts";
import { findAppFolder, isPackage } from "./folders.ts";

/** What Vitest, and Vite below it, take as a plugin: as much of it as this one is. */
export interface ConfigFilesPlugin {
  readonly name: string;
  /** Lets the package's modules be loaded as the app's are: those of functions import files of config/, too. Gives tests 30 seconds where the project says nothing of it. Never throws. */
  config(own: object): {
    readonly test: {
      readonly server: { readonly deps: { readonly inline: string[] } };
      readonly testTimeout?: number;
    };
  };
  /** Learns which folder the tests are of. Never throws. */
  configResolved(config: { readonly root: string }): void;
  /** Gives the app's file of config/ where a module of the package imports one; undefined for all else. Never throws. */
  resolveId(source: string, importer: string | undefined): string | undefined;
  /** Gives the source of a module in the place of a file; undefined where it is none of config/. @throws ConfigFileError for a file that is wrong */
  load(id: string): Promise<string> | undefined;
}

/**
 * Lets tests import the files of config/ as a build does: checked, and as they are for a stage. For `plugins` in vitest.config.ts.
 * `stage` is a name of config/stages.yml; default: local. A file that is wrong fails the test that imports it,
 * with its place.
 * @throws InvalidInputError for an option that is wrong or not known
 */
export function configFiles(options: { stage?: string } = {}): ConfigFilesPlugin {
  checkPlain("configFiles", "options", { stage: plainText }, options);
  const { stage = "local" } = options;
  let root = "";
  return {
    name: "config-files",
    config: (own) => ({
      test: {
        server: { deps: { inline: ["cometchat-functions"] } },
        ...(!saysTimeout(own) && { testTimeout: patience }),
      },
    }),
    configResolved(config) {
      root = config.root;
    },
    resolveId(source, importer) {
      if (!isPackage || importer === undefined || !source.includes(".yml")) return undefined;
      const appFolder = findAppFolder(root);
      // Tests of no app take what the package says.
      return appFolder === undefined ? undefined : configFileMeant(source, dirname(importer), appFolder);
    },
    load: (id) => (/[/\\]config[/\\](?:app[/\\])?[^/\\]+\.yml$/.test(id) ? loadFile(id, stage) : undefined),
  };
}

/** The first run of a trigger loads the platform, which takes a busy machine longer than the five seconds of Vitest. */
const patience = 30_000;

function saysTimeout(own: object): boolean {
  return isRecord(own) && isRecord(own.test) && own.test.testTimeout !== undefined;
}

async function loadFile(id: string, stage: string): Promise<string> {
  // Loaded then: what is below reads a file of the project's.
  const { loadConfigFile } = await import("./load-config-file.ts");
  return await loadConfigFile(id, stage);
}
