import { dirname } from "node:path";
import { checkPlain, plainText } from "../lib/chat/check-plain.ts";
import { configFileMeant } from "./config-modules.ts";
import { findAppFolder, isPackage } from "./folders.ts";

/** The part of a Vitest or Vite plugin that this one uses. */
export interface ConfigFilesPlugin {
  readonly name: string;
  /**
   * Bundles the package's modules like the app's: they import config/, too. Sets a timeout of 60 seconds if
   * the project has none. Never throws.
   */
  config(own: object): {
    readonly test: {
      readonly server: { readonly deps: { readonly inline: string[] } };
      readonly testTimeout?: number;
    };
  };
  /** Learns the folder of the tests. Never throws. */
  configResolved(config: { readonly root: string }): void;
  /** Returns the app's file of config/ for an import in the package; undefined for others. Never throws. */
  resolveId(source: string, importer: string | undefined): string | undefined;
  /** Returns a module's source for a file of config/. @throws ConfigFileError if the file is invalid */
  load(id: string): Promise<string> | undefined;
}

/**
 * Lets tests import the files of config/ as a build does: validated, for one stage. For `plugins` in
 * vitest.config.ts. `stage`: a name of config/stages.yml; default: local. An invalid file fails the tests
 * that import it.
 * @throws InvalidInputError if an option is invalid or unknown
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
        ...(Object(Object(own).test).testTimeout === undefined && { testTimeout: patience }),
      },
    }),
    configResolved(config) {
      root = config.root;
    },
    resolveId(source, importer) {
      if (!isPackage || importer === undefined || !source.includes(".yml")) return undefined;
      const appFolder = findAppFolder(root);
      // Tests outside an app use the package's files.
      return appFolder === undefined ? undefined : configFileMeant(source, dirname(importer), appFolder);
    },
    load: (id) => (/[/\\]config[/\\](?:app[/\\])?[^/\\]+\.yml$/.test(id) ? loadFile(id, stage) : undefined),
  };
}

/** A trigger's first run loads the platform: longer than Vitest's 5 s on a busy machine. */
const patience = 60_000;

async function loadFile(id: string, stage: string) {
  // Imports late: this module reads a file of the project.
  const { loadConfigFile } = await import("./load-config-file.ts");
  return await loadConfigFile(id, stage);
}
