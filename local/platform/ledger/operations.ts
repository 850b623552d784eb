import { readFileSync } from "node:fs";

/** One operation the platform is known to have. `missing` says why the emulation does not have it. */
export type KnownOperation = {
  surface: string;
  method: string;
  path: string;
  operationId: string;
  missing: string | undefined;
};

/** Reads the list of known operations. @throws Error naming a line that is not of its form */
export function readOperations(): KnownOperation[] {
  return readFileSync(new URL("operations.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(toOperation);
}

function toOperation(line: string): KnownOperation {
  const match = /^(\w+) ([A-Z]+) (\/\S*) (\S+)(?: - (.+))?$/.exec(line);
  const [, surface, method, path, operationId, missing] = match ?? [];
  if (surface === undefined || method === undefined || path === undefined || operationId === undefined) {
    throw new Error(`The list of operations has a line that is none: ${line}`);
  }
  return { surface, method, path, operationId, missing };
}
