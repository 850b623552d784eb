import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Document, isMap, isScalar, isSeq, parseDocument, visit, YAMLMap } from "yaml";

const place = "node_modules/cometchat-functions";

/**
 * Returns texts by file name. Paths lead into the package, those to config/ and functions/own/ into the app.
 * @param projectFolder this repository, not an app
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
  return parseDocument(readFileSync(join(folder, file), "utf8"), { logLevel: "error" });
}

function mapOf(node: unknown): YAMLMap {
  if (isMap(node)) return node;
  throw new Error(`This is not a map with keys: ${node}`);
}

function listOf(node: unknown): readonly unknown[] {
  if (isSeq(node)) return node.items;
  throw new Error(`This is not a list: ${node}`);
}

function shippedFunctions(service: Document): YAMLMap {
  const functions = new YAMLMap();
  for (const pair of listOf(service.get("functions")).flatMap((list) => (isMap(list) ? list.items : []))) {
    const definition = mapOf(pair.value);
    const handler = String(definition.get("handler")).replace(/\.\w+$/, "");
    // The framework excludes node_modules unless listed.
    definition.set("package", service.createNode({ patterns: [`${place}/${handler}.mjs*`] }));
    functions.add(pair);
  }
  return functions;
}

function allResources(projectFolder: string, service: Document): YAMLMap {
  const sections = new YAMLMap();
  for (const file of listOf(service.get("resources"))) {
    const [, name = ""] = /^\$\{file\((.+)\)\}$/.exec(String(file)) ?? [];
    for (const { key, value } of mapOf(readYaml(projectFolder, name).contents).items) {
      if (!sections.has(key)) sections.set(key, new YAMLMap());
      // Throws for a resource declared twice.
      for (const pair of mapOf(value).items) mapOf(sections.get(key)).add(pair);
    }
  }
  return sections;
}

function toPart(node: unknown) {
  const part = new Document(node);
  visit(part, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === "handler" && isScalar(value))
        value.value = `${place}/${value.value}`;
    },
    Scalar(_, node) {
      if (typeof node.value !== "string") return;
      node.value = node.value
        .replaceAll(/(?<=\$\{file\()(?=infrastructure\/)/g, `${place}/`)
        .replace(/^(?:\.\/)?(?=(?:build|local)\/)/, (start) => `${start}${place}/`)
        .replace(/(?<=^\.\/node_modules\/.*)\.ts$/, ".js");
    },
  });
  const text = part.toString({ lineWidth: 0 });
  return `# Made of this package's serverless.yml and infrastructure/: an app's serverless.yml takes it by \${file(…)}.\n${text}`;
}
