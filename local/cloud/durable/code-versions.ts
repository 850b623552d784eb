import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { bundleFile } from "../lambda/bundle-file.ts";
import type { FunctionDefinition } from "../lambda/function-definition.ts";
import type { StoredExecution } from "./stored-execution.ts";

interface Version {
  readonly number: number;
  readonly digest: string;
  readonly taskRoot: string;
  readonly file: string;
}

export const storedCodeSchema = z.object({
  functionName: z.string(),
  version: z.string(),
  digest: z.string().check(z.regex(/^\w+$/)),
  file: z.string(),
  code: z.instanceof(Uint8Array),
});
export type StoredCode = z.infer<typeof storedCodeSchema>;

/**
 * Keeps published code: executions end on the code they began with.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-best-practices.html
 */
export class CodeVersions {
  readonly #folder: string;
  readonly #digests = new Map<string, string>();

  /** @param folder holds a folder for each version */
  constructor(folder: string) {
    this.#folder = folder;
  }

  publish(definition: FunctionDefinition): string {
    const { name: functionName, taskRoot } = definition;
    const digest = this.#digestOf(definition);
    const versions = this.#versionsOf(functionName);
    const existing = versions.find((version) => version.digest === digest);
    if (existing) return String(existing.number);
    const version = String(1 + Math.max(0, ...versions.map(({ number }) => number)));
    const bundle = bundleFile(definition);
    this.#keep({
      functionName,
      version,
      digest,
      file: relative(taskRoot, bundle),
      code: readFileSync(bundle),
    });
    return version;
  }

  /** Returns the definition with a version's code, or unchanged if that is not kept. */
  at(definition: FunctionDefinition, version: string): FunctionDefinition {
    const found = this.#versionsOf(definition.name).find(({ number }) => String(number) === version);
    if (found === undefined || found.digest === this.#digestOf(definition)) return definition;
    return { ...definition, taskRoot: found.taskRoot };
  }

  contents(executions: readonly StoredExecution[]): StoredCode[] {
    const names = new Set(executions.map(({ functionName }) => functionName));
    return [...names].flatMap((functionName) =>
      this.#versionsOf(functionName)
        .filter((version) => isNeeded(version, functionName, executions))
        .map(({ number, digest, taskRoot, file }) => {
          const code = readFileSync(join(taskRoot, file));
          return { functionName, version: String(number), digest, file, code };
        }),
    );
  }

  /** Replaces versions of the same numbers. */
  putBack(all: readonly StoredCode[]): void {
    for (const stored of all) {
      const versions = this.#versionsOf(stored.functionName);
      const taken = versions.find(({ number }) => String(number) === stored.version);
      if (taken?.digest === stored.digest) continue;
      if (taken !== undefined) rmSync(taken.taskRoot, { recursive: true });
      this.#keep(stored);
    }
  }

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

  prune(executions: readonly StoredExecution[]): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      const versions = this.#versionsOf(name);
      const newest = Math.max(...versions.map(({ number }) => number));
      for (const version of versions)
        if (version.number !== newest && !isNeeded(version, name, executions))
          rmSync(version.taskRoot, { recursive: true });
    }
  }

  #versionsOf(name: string): Version[] {
    const folder = join(this.#folder, name);
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((entry) => {
      const [, number, digest] = /^(\d+)-(\w+)$/.exec(entry) ?? [];
      const taskRoot = join(folder, entry);
      const found = readdirSync(taskRoot, { recursive: true, withFileTypes: true }).find((one) =>
        one.isFile(),
      );
      if (digest === undefined || found === undefined) return [];
      const file = relative(taskRoot, join(found.parentPath, found.name));
      return [{ number: Number(number), digest, taskRoot, file }];
    });
  }

  /** Writes atomically: the process may be killed. */
  #keep({ functionName, version, digest, file, code }: StoredCode) {
    const folder = join(this.#folder, functionName);
    const beside = join(folder, "new");
    rmSync(beside, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    mkdirSync(dirname(join(beside, file)), { recursive: true });
    writeFileSync(join(beside, file), code);
    renameSync(beside, join(folder, `${version}-${digest}`));
  }

  #digestOf(definition: FunctionDefinition) {
    const { taskRoot } = definition;
    const digest =
      this.#digests.get(taskRoot) ?? hash("sha256", readFileSync(bundleFile(definition))).slice(0, 16);
    this.#digests.set(taskRoot, digest);
    return digest;
  }
}

function isNeeded({ number }: Version, name: string, executions: readonly StoredExecution[]) {
  return executions.some(
    ({ status, functionName, version }) =>
      status === "RUNNING" && functionName === name && version === String(number),
  );
}

function nameOf({ payload, name }: StoredExecution) {
  const input = parseJson(payload);
  return isRecord(input) && typeof input.flow === "string" ? input.flow : name;
}
