import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Document, isMap, isScalar, isSeq, parseDocument, visit, YAMLMap, YAMLSeq } from "yaml";

/** Where the package lies in an app, from the folder of the app's serverless.yml. */
const place = "node_modules/cometchat-functions";

/**
 * Writes what serverless.yml declares as parts that an app's own serverless.yml takes from the package, by file name: its
 * plugins, provider, functions and custom values, and the resources of infrastructure/. Paths into this repository lead into
 * the package, those to config/ and functions/own/ into the app.
 * @param projectFolder the folder of serverless.yml, whose part it is that is no app's: this repository
 */
export function writeAppParts(projectFolder: string): ReadonlyMap<string, string> {
  const service = readYaml(projectFolder, "serverless.yml");
  return new Map([
    ["plugins.yml", toPart(service.get("plugins"))],
    ["provider.yml", toPart(service.get("provider"))],
    ["functions.yml", toPart(shippedFunctions(service))],
    ["custom.yml", toPart(service.get("custom"))],
    ["resources.yml", toPart(allResources(projectFolder, service))],
  ]);
}

function readYaml(folder: string, file: string): Document {
  const text = readFileSync(join(folder, file), "utf8");
  // CloudFormation's tags stay what they are.
  return parseDocument(text, { logLevel: "error" });
}

/** The functions that stand in serverless.yml itself, and not those of functions/own/. */
function shippedFunctions(service: Document): YAMLMap {
  const functions = new YAMLMap();
  const lists = service.get("functions");
  if (!isSeq(lists)) throw new Error("serverless.yml: `functions` is no list.");
  for (const list of lists.items) {
    if (!isMap(list)) continue;
    for (const pair of list.items) {
      if (!isMap(pair.value)) throw new Error(`serverless.yml: the function ${pair.key} is no map.`);
      const handler = String(pair.value.get("handler")).replace(/\.\w+$/, "");
      // The plugin that packs leaves out what lies in node_modules unless it is named.
      pair.value.set("package", patternsOf(`${place}/${handler}.mjs*`));
      functions.items.push(pair);
    }
  }
  return functions;
}

function patternsOf(pattern: string): YAMLMap {
  const patterns = new YAMLSeq();
  patterns.add(pattern);
  const packaging = new YAMLMap();
  packaging.set("patterns", patterns);
  return packaging;
}

/** What the files of infrastructure/ declare, section by section. */
function allResources(projectFolder: string, service: Document): YAMLMap {
  const sections = new YAMLMap();
  const files = service.get("resources");
  if (!isSeq(files)) throw new Error("serverless.yml: `resources` is no list.");
  for (const file of files.items) {
    const name = /^\$\{file\((.+)\)\}$/.exec(isScalar(file) ? String(file.value) : "")?.[1];
    if (name === undefined)
      throw new Error(`serverless.yml: \`resources\` has something else than files: ${file}`);
    const { contents } = readYaml(projectFolder, name);
    if (!isMap(contents)) throw new Error(`${name}: is no map.`);
    for (const { key, value } of contents.items) {
      const section = sections.get(key) ?? new YAMLMap();
      if (!isMap(section) || !isMap(value)) throw new Error(`${name}: ${key} is no map.`);
      for (const pair of value.items) {
        if (section.has(pair.key)) throw new Error(`${name}: ${key}.${pair.key} is declared twice.`);
        section.items.push(pair);
      }
      sections.set(key, section);
    }
  }
  return sections;
}

/** Writes a node as a file of its own, with paths as an app has them. */
function toPart(node: unknown): string {
  if (!isMap(node) && !isSeq(node)) throw new Error("serverless.yml: a part is missing.");
  const part = new Document();
  part.contents = node;
  visit(part, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === "handler" && isScalar(value))
        value.value = `${place}/${value.value}`;
    },
    Scalar(_, node) {
      if (typeof node.value !== "string") return;
      node.value = node.value
        .replaceAll(/(?<=\$\{file\()(?=infrastructure\/)/g, `${place}/`)
        .replace(/^(?:\.\/)?(?=(?:scripts|local)\/)/, (start) => `${start}${place}/`)
        .replace(/(?<=^\.\/node_modules\/.*)\.ts$/, ".js");
    },
  });
  const text = part.toString({ lineWidth: 0 });
  return `# Made of this package's serverless.yml and infrastructure/: an app's serverless.yml takes it by \${file(…)}.\n${text}`;
}
