import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { loadConfigFile } from "../../build/load-config-file.ts";

/**
 * For the stage `local`: Node loads no YAML. An app's build and tests use its own file
 * (build/config-modules.ts).
 * @param dist the package, with config/ in it
 */
export async function writeConfigModules(root: string, dist: string): Promise<void> {
  const imported = new Set<string>();
  for (const path of globSync("lib/**/*.js", { cwd: dist })) {
    const file = join(dist, path);
    const text = readFileSync(file, "utf8");
    const named = text.replace(
      /(from "((?:\.\.?\/)+config\/[^"]+\.yml))"/g,
      (_, start: string, to: string) => {
        imported.add(
          relative(dist, resolve(file, "..", to))
            .split(sep)
            .join("/"),
        );
        return `${start}.js"`;
      },
    );
    if (named !== text) writeFileSync(file, named);
  }
  for (const file of imported) {
    const module = await loadConfigFile(join(root, file), "local");
    writeFileSync(
      join(dist, `${file}.js`),
      `// What ${file} of the package says for the stage local.\n${module}\n`,
    );
  }
}
