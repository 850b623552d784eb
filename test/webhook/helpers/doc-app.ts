import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { blocksOf } from "../../helpers/project-copy.ts";

const root = join(import.meta.dirname, "../../..");

/** Packages of the page's applications, in addition to this project's. */
const packages = [
  ...["@hono", "@nestjs", "@opentelemetry", "@types", "express", "fastify", "hono"],
  ...["reflect-metadata", "rxjs"],
];

/**
 * Writes the blocks of docs/webhook.md into a folder like an application, with this project as its package.
 * The package is a folder of its own, as Node strips no types below node_modules.
 */
export function writeDocApp(): {
  readonly folder: string;
  readonly files: readonly string[];
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), "doc-app-"));
  const blocks = blocksOf("docs/webhook.md");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [file, text] of Object.entries(blocks)) write(file, text);
  write("package.json", JSON.stringify({ type: "module" }));
  const exports = { "./chat": "./chat.ts", "./webhook": "./webhook.ts" };
  write("door/package.json", JSON.stringify({ name: "cometchat-functions", type: "module", exports }));
  for (const door of ["chat", "webhook"])
    write(`door/${door}.ts`, `export * from "${root}/package/${door}.ts";\n`);
  mkdirSync(join(folder, "node_modules"));
  for (const name of packages)
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  symlinkSync(join(folder, "door"), join(folder, "node_modules/cometchat-functions"));
  return {
    folder,
    files: Object.keys(blocks),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
