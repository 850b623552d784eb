import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FunctionDefinition } from "./function-definition.ts";

export function bundleFile({ taskRoot, handler }: FunctionDefinition): string {
  const path = join(taskRoot, handler.slice(0, handler.lastIndexOf(".")));
  return [".mjs", ".js", ".cjs"].map((extension) => path + extension).find(existsSync) ?? `${path}.mjs`;
}
