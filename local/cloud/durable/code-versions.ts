import { hash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { bundleFile } from "../lambda/bundle-file.ts";
import type { FunctionDefinition } from "../lambda/function-definition.ts";
import type { StoredExecution } from "./stored-execution.ts";

interface Version {
  readonly number: number;
  readonly digest: string;
  readonly taskRoot: string;
}

/**
 * The code of durable functions that executions began with. As on AWS, they end on it.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-best-practices.html
 */
export class CodeVersions {
  readonly #folder: string | undefined;
  readonly #versions = new Map<string, Version[]>();
  /** By the folder of the code. */
  readonly #digests = new Map<string, string>();

  /** @param folder keeps code for later starts; without one, the code must stay where it is */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Keeps the function's code. Returns the same version for the same code. */
  publish(definition: FunctionDefinition): string {
    const digest = this.#digestOf(definition);
    const versions = this.#versionsOf(definition.name);
    const existing = versions.find((version) => version.digest === digest);
    if (existing) return String(existing.number);
    const number = 1 + Math.max(0, ...versions.map((version) => version.number));
    versions.push({ number, digest, taskRoot: this.#keep(definition, `${number}-${digest}`) });
    return String(number);
  }

  /** Returns the function with that version's code, or with its own if the version is not kept. */
  at(definition: FunctionDefinition, version: string): FunctionDefinition {
    const found = this.#versionsOf(definition.name).find(({ number }) => String(number) === version);
    if (found === undefined || found.digest === this.#digestOf(definition)) return definition;
    return { ...definition, taskRoot: found.taskRoot };
  }

  /** Describes in one line what goes on with earlier code; undefined if there is nothing. */
  describeOlder(
    executions: readonly StoredExecution[],
    functions: readonly FunctionDefinition[],
  ): string | undefined {
    const older = executions.filter(({ status, functionName, version }) => {
      const current = functions.find(({ name }) => name === functionName);
      return status === "RUNNING" && current !== undefined && this.at(current, version) !== current;
    });
    if (older.length === 0) return undefined;
    const names = [...Map.groupBy(older, nameOf)].map(([name, { length }]) => `${length} ${name}`);
    const [flows, end] = older.length === 1 ? ["flow that began", "ends"] : ["flows that began", "end"];
    return `${older.length} ${flows} with earlier code ${end} with it, as on AWS: ${names.toSorted().join(", ")}. New ones have the new code.`;
  }

  /** Deletes the code, except the newest, that no running execution needs. */
  prune(executions: readonly StoredExecution[]): void {
    if (this.#folder === undefined || !existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      const versions = this.#versionsOf(name);
      const newest = Math.max(...versions.map(({ number }) => number));
      const isNeeded = ({ number }: Version) =>
        number === newest ||
        executions.some(
          ({ status, functionName, version }) =>
            status === "RUNNING" && functionName === name && version === String(number),
        );
      for (const version of versions) if (!isNeeded(version)) rmSync(version.taskRoot, { recursive: true });
      this.#versions.set(name, versions.filter(isNeeded));
    }
  }

  #versionsOf(name: string): Version[] {
    const versions = this.#versions.get(name) ?? this.#load(name);
    this.#versions.set(name, versions);
    return versions;
  }

  #load(name: string): Version[] {
    const folder = this.#folder === undefined ? undefined : join(this.#folder, name);
    if (folder === undefined || !existsSync(folder)) return [];
    return readdirSync(folder).flatMap((entry) => {
      const [, number, digest] = /^(\d+)-(\w+)$/.exec(entry) ?? [];
      return digest === undefined ? [] : [{ number: Number(number), digest, taskRoot: join(folder, entry) }];
    });
  }

  /** All or nothing, even if this process is killed meanwhile. */
  #keep(definition: FunctionDefinition, entry: string): string {
    if (this.#folder === undefined) return definition.taskRoot;
    const folder = join(this.#folder, definition.name);
    const beside = join(folder, "new");
    rmSync(beside, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const bundle = bundleFile(definition);
    const copy = join(beside, relative(definition.taskRoot, bundle));
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(bundle, copy);
    renameSync(beside, join(folder, entry));
    return join(folder, entry);
  }

  #digestOf(definition: FunctionDefinition): string {
    const { taskRoot } = definition;
    const digest =
      this.#digests.get(taskRoot) ?? hash("sha256", readFileSync(bundleFile(definition))).slice(0, 16);
    this.#digests.set(taskRoot, digest);
    return digest;
  }
}

function nameOf({ payload, name }: StoredExecution): string {
  const input = parseJson(payload);
  return isRecord(input) && typeof input.flow === "string" ? input.flow : name;
}
