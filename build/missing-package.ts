import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isRecord } from "../lib/base/json.ts";
import { packageFolder } from "./folders.ts";
import { installCommands } from "./install-commands.ts";

export interface OwnManifest {
  readonly version: string;
  readonly packages: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export function readOwnManifest(): OwnManifest {
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const { version, dependencies, cometchatFunctions: { packages = {} } = {} } = manifest;
  return { version, packages, dependencies };
}

export function describeMissingPackage(error: unknown): string | undefined {
  if (!isRecord(error) || !["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(String(error.code)))
    return undefined;
  const [, found = ""] = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(String(error.message)) ?? [];
  const name = found.split("/", found.startsWith("@") ? 2 : 1).join("/");
  if (name === "") return undefined;
  return `The package ${name} is needed and not installed: ${installLine(process.cwd(), { [name]: readOwnManifest().packages[name] ?? "*" })}`;
}

export function installLine(folder: string, packages: Readonly<Record<string, string>>): string {
  const wanted = Object.entries(packages).map(([name, range]) => (range === "*" ? name : `${name}@${range}`));
  return `${installCommands(folder).addDev} ${wanted.map((one) => (/[<>| ]/.test(one) ? `"${one}"` : one)).join(" ")}`;
}
