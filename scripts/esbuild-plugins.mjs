import { loadConfigFile } from "./load-config-file.ts";

/** Lets functions import the files of config/, checked at build time. */
const configFiles = {
  name: "config-files",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /[/\\]config[/\\][^/\\]+\.yml$/ }, async ({ path }) => {
      try {
        return { contents: await loadConfigFile(path), loader: "js" };
      } catch (error) {
        return { errors: [{ text: error instanceof Error ? error.message : String(error) }] };
      }
    });
  },
};

export default [configFiles];
