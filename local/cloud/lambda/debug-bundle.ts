import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as z from "zod/mini";
import { bundleFile } from "./bundle-file.ts";
import type { FunctionDefinition } from "./function-definition.ts";

const mapSchema = z.looseObject({ sources: z.array(z.string()) });

/** Writes a bundle with its map in a comment, for debuggers. */
export function writeDebugBundle(definition: FunctionDefinition): FunctionDefinition {
  const { taskRoot } = definition;
  const bundle = bundleFile(definition);
  if (!existsSync(`${bundle}.map`)) return definition;
  const debugRoot = `${taskRoot}-debug`;
  const copy = join(debugRoot, relative(taskRoot, bundle));
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(taskRoot, debugRoot, { recursive: true });
  const map = mapSchema.parse(JSON.parse(readFileSync(`${bundle}.map`, "utf8")));
  const sources = map.sources.map((source) => new URL(source, pathToFileURL(bundle)).href);
  const full = JSON.stringify({ ...map, sources, sourcesContent: sources.map(readSource) });
  const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(full).toString("base64")}`;
  writeFileSync(copy, `${readFileSync(bundle, "utf8")}\n${comment}\n`);
  return { ...definition, taskRoot: debugRoot };
}

/** @returns null for source without a file, which the bundler generated */
function readSource(url: string): string | null {
  try {
    return readFileSync(fileURLToPath(url), "utf8");
  } catch {
    return null;
  }
}
