import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseDocument } from "yaml";
import * as z from "zod/mini";
import { isRecord, parseJson } from "../lib/base/json.ts";
import { readYaml } from "./config-text.ts";
import { describeMisplacedPackage, packageFolder } from "./folders.ts";
import { installCommands } from "./install-commands.ts";
import { installLine, type OwnManifest, readOwnManifest } from "./missing-package.ts";
import { isOlder, satisfies } from "./version-range.ts";

const parts = ["plugins", "provider", "functions", "custom", "resources"] as const;

/** Lists what an app must change by hand after an update. */
export async function checkApp(appFolder: string) {
  const own = readOwnManifest();
  return [
    ...[describeMisplacedPackage(appFolder) ?? []].flat(),
    ...(await unexpectedVersion(appFolder, own.version)),
    ...(await unexpectedPackages(appFolder, own)),
    ...(await lackingParts(appFolder, own.version)),
  ];
}

const appManifestSchema = z.object({
  cometchatFunctions: z.optional(z.object({ madeWith: z.optional(z.string()) })),
});

async function unexpectedVersion(appFolder: string, version: string) {
  const found = appManifestSchema.safeParse(parseJson(await readOrNothing(join(appFolder, "package.json"))));
  const madeWith = found.data?.cometchatFunctions?.madeWith;
  if (madeWith === undefined || !isOlder(version, madeWith)) return [];
  return [
    `package.json: this app was made with cometchat-functions ${madeWith}, and ${version} is installed. Type: ${installCommands(appFolder).add} "cometchat-functions@>=${madeWith}"`,
  ];
}

/** The app chooses their versions (docs/webhook.md#the-package): starting and deploying use none of these. */
const ofAppAlone = /^(@types\/.*|typescript|vitest)$/;

export async function unexpectedPackages(appFolder: string, { version, packages }: OwnManifest) {
  const from = createRequire(join(appFolder, "package.json"));
  const needed = Object.entries(packages).filter(([name]) => !ofAppAlone.test(name));
  const unexpected = await Promise.all(
    needed.map(async ([name, range]) => {
      const installed = await installedVersion(from, name);
      // If this command runs without it, the machine has the needed Node.
      const isFine = installed === undefined ? name === "node" : satisfies(installed, range);
      return isFine ? [] : [[name, range] as const];
    }),
  );
  const wanted = Object.fromEntries(unexpected.flat());
  if (Object.keys(wanted).length === 0) return [];
  return [
    `package.json: cometchat-functions ${version} needs packages that are missing here, or of another version. Type: ${installLine(appFolder, wanted)}`,
  ];
}

/** Reads the file: a package's exports may omit its manifest. */
async function installedVersion(from: NodeJS.Require, name: string) {
  for (const folder of from.resolve.paths(name) ?? []) {
    const manifest = parseJson(await readOrNothing(join(folder, name, "package.json")));
    if (isRecord(manifest) && typeof manifest.version === "string") return manifest.version;
  }
  return undefined;
}

async function lackingParts(appFolder: string, version: string) {
  const text = await readOrNothing(join(appFolder, "serverless.yml"));
  const { content: service, mistakes } = readYaml("serverless.yml", text, { tags: true });
  if (mistakes.length > 0) return mistakes;
  const lacking = await Promise.all(
    parts.map(async (part) => {
      const line = `\${file(node_modules/cometchat-functions/app/${part}.yml)}`;
      const said = isRecord(service) ? service[part] : undefined;
      if ([said].flat().includes(line)) return [];
      const missing = missingIn(part, said, await readPart(part));
      if (missing.length === 0) return [];
      const place = Array.isArray(said) && part !== "plugins" ? `  - ${line}` : `${part}: ${line}`;
      return [
        `serverless.yml: ${part} lacks ${missing.join(", ")}, which cometchat-functions ${version} needs. Use the package's part unchanged, \`${place.trim()}\`, or add them from ${`node_modules/cometchat-functions/app/${part}.yml`}.`,
      ];
    }),
  );
  return lacking.flat();
}

async function readPart(part: string): Promise<unknown> {
  const text = await readFile(join(packageFolder, "app", `${part}.yml`), "utf8");
  return parseDocument(text, { logLevel: "silent" }).toJS();
}

/** Looks only into maps whose every key the package needs; a variable may hold any key. */
export function missingIn(part: string, said: unknown, shipped: unknown): readonly string[] {
  if (Array.isArray(shipped)) {
    const names: readonly unknown[] = Array.isArray(said) ? said : [];
    return shipped.filter((name) => !names.includes(name)).map(String);
  }
  const maps = [said].flat().filter(isRecord);
  return Object.entries(isRecord(shipped) ? shipped : {}).flatMap(([key, inner]) => {
    const found = maps.flatMap((map) => (Object.hasOwn(map, key) ? [map[key]] : []));
    if (found.length === 0) return [key];
    const place = `${part}.${key}`;
    if (!lookedInto.test(place) || found.some((one) => typeof one === "string")) return [];
    return missingIn(place, found.flat(), inner).map((name) => `${key}.${name}`);
  });
}

const lookedInto =
  /^(resources\.(Resources|Outputs)|provider\.environment|custom\.(?!esbuild$)\w+|functions\.\w+(\.(environment|rights))?)$/;

async function readOrNothing(file: string) {
  return await readFile(file, "utf8").catch(() => "");
}
