import { readFileSync } from "node:fs";

/** One operation of the platform, as its pages list it (test/fixtures/platform/README.md). */
export interface CatalogueOperation {
  api: "chat" | "calls" | "import" | "campaigns" | "management";
  id: string;
  method: string;
  /** Below the base address of the API; campaigns with their prefix. */
  path: string;
  onBehalfOf: "required" | "optional" | "unsupported";
  /** Names of query parameters and top-level body fields; `createdAt[from]` counts as createdAt. */
  fields: string[];
  /** Missing: false. */
  deprecated?: boolean;
  /** The answer has no `data` around it; missing: false. */
  isBare?: boolean;
  /** Of a success; missing: 200. */
  status?: number;
}

/** Lists the operations that a client has to offer: those that are not deprecated. */
export function ownOperations(): CatalogueOperation[] {
  return allOperations().filter(({ deprecated }) => deprecated !== true);
}

/** Lists every operation, the deprecated ones too. */
export function allOperations(): CatalogueOperation[] {
  return read("operations.json") as CatalogueOperation[];
}

/** Lists the error codes of the Chat API; a status of null is not documented. */
export function documentedErrors(): { code: string; status: number | null }[] {
  return read("error-codes.json") as { code: string; status: number | null }[];
}

/** Lists the extensions, with the settings that those must have that say so. */
export function documentedExtensions(): { id: string; requiredSettings?: string[] }[] {
  return read("extensions.json") as { id: string; requiredSettings?: string[] }[];
}

/** Lists the triggers of the current engine by name. */
export function documentedTriggers(): string[] {
  return read("triggers.json") as string[];
}

/** Gives the printed body of every call of the platform, by the call's name. */
export function documentedSamples(): Record<string, Record<string, unknown>> {
  return read("webhook-samples.json") as Record<string, Record<string, unknown>>;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"));
}

const folder = new URL("../fixtures/platform/", import.meta.url);
