import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, posix } from "node:path";
import process from "node:process";
import { filesOfInstallers, packagePlaceOf } from "../../../build/folders.ts";

export interface ResolutionInputs {
  readonly serviceFolder: string;
  readonly digests: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ResolutionKey {
  readonly key: string;
  /** serverless gets no other variables. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Sources whose values depend only on serverless.yml's files and the environment. */
const knownSources = new Set(["self", "opt", "sls", "file", "env", "strToBool", "AWS", "param"]);

const ownVariables = /^(NODE_OPTIONS|SLS_.*|SERVERLESS_.*)$/;

const needed = ["HOME", "LANG", "PATH", "TMPDIR"];

/** Returns undefined if the service depends on more: other sources, files that code reads, computed names. */
export function resolutionKeyOf(inputs: ResolutionInputs): ResolutionKey | undefined {
  const { serviceFolder, digests, environment } = inputs;
  if (!["package.json", "tsconfig.json"].every((file) => digests.has(file))) return undefined;
  const read = (file: string) => readFileSync(join(serviceFolder, file), "utf8");
  const place = packagePlaceOf(serviceFolder);
  const isOfPackage = (file: string) => place !== "" && file.startsWith(place);
  const declared = [...digests.keys()].filter(
    (file) => /\.(ya?ml|json)$/.test(file) && (!/(^|\/)node_modules\//.test(file) || isOfPackage(file)),
  );
  const isThere = (file: string) =>
    digests.has(file) ||
    (isOfPackage(file) &&
      // An installer may put packages into the package's folder.
      statSync(join(serviceFolder, file), { throwIfNoEntry: false })?.isFile() === true);
  const roots = [...digests.keys()].filter((file) => file.startsWith("build/"));
  const code = importedBy([...roots, ...rootsInPackage(serviceFolder, place, isThere)], isThere, read);
  const service = declared.filter((file) => file.endsWith("ml")).map((file) => ({ file, text: read(file) }));
  if (!service.every(({ text }) => isSelfContained(text, digests))) return undefined;
  const words = new Set(
    [...service.map(({ text }) => text), ...[...code].map(read)].flatMap((text) => text.match(/\w+/g) ?? []),
  );
  const named = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && !needed.includes(name) && (ownVariables.test(name) || words.has(name))
      ? [[name, value] as const]
      : [],
  );
  const around = needed.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const files = [...declared, ...code, ...filesOfInstallers(serviceFolder)].map((file) => [
    file,
    digests.get(file) ?? (isOfPackage(file) && digestOfInputs(read(file))),
  ]);
  // Handlers name files without extension, so the existing files matter.
  const handlers = [...digests.keys()].filter((file) => !file.includes("/") || file.startsWith("functions/"));
  return {
    key: digestOfInputs([
      handlers.toSorted(),
      serviceFolder,
      process.versions,
      ownDigest(),
      named.toSorted(),
      files.toSorted(),
    ]),
    environment: Object.fromEntries([...around, ...named]),
  };
}

export function digestOfInputs(value: unknown): string {
  return hash("sha256", JSON.stringify(value));
}

function isSelfContained(text: string, digests: ReadonlyMap<string, string>) {
  if (
    /^\s*useDotenv:|\$\{sls:instanceId|\$\{env:\s*\$|\$\{file\([^)]*[$~]|\$\{file\(\s*(\.\.|\/)/m.test(text)
  )
    return false;
  const sources = [...text.matchAll(/\$\{\s*(\w+)[:(]/g)].map(([, source = ""]) => source);
  const files = [...text.matchAll(/\$\{?\s*file\(([^)]*)\)/g)].map(([, file = ""]) =>
    posix.normalize(file.trim()),
  );
  return (
    sources.every((source) => knownSources.has(source)) &&
    // A missing file may exist later.
    files.every(
      (file) =>
        /\.(ya?ml|json)$/.test(file) &&
        (digests.has(file) || /^(config|functions|infrastructure)\//.test(file)),
    )
  );
}

/** Plugins may load any file. */
function importedBy(
  roots: readonly string[],
  isThere: (file: string) => boolean,
  read: (file: string) => string,
): ReadonlySet<string> {
  const found = new Set(roots);
  for (const file of found) {
    for (const [, path = ""] of read(file).matchAll(/["'](\.\.?\/[^"']+)["']/g)) {
      const named = posix.join(posix.dirname(file), path);
      for (const one of [named, `${named}.ts`, `${named}.js`, `${named}.mjs`, `${named}.cjs`])
        if (isThere(one)) found.add(one);
    }
  }
  return found;
}

/** An app's plugins are the package's, which load the app's schemas of config/. */
function rootsInPackage(
  serviceFolder: string,
  place: string,
  isThere: (file: string) => boolean,
): readonly string[] {
  if (place === "") return [];
  const steps = readdirSync(join(serviceFolder, place, "build"))
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => `${place}build/${name}`);
  return [...steps, "functions/own/config-schemas.ts"].filter(isThere);
}

function ownDigest() {
  const extension = extname(import.meta.filename);
  const names = ["resolve-service", "resolution-key", "bundle-maker", "bundling"];
  const files = ["../serverless-plugin.mjs", ...names.map((name) => `${name}${extension}`)];
  return digestOfInputs(files.map((file) => readFileSync(join(import.meta.dirname, file), "utf8")));
}
