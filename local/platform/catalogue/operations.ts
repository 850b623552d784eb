import { readFileSync } from "node:fs";

/** One operation of the platform, as its pages list it (README.md here). */
export interface CatalogueOperation {
  api: "chat" | "calls" | "import" | "campaigns" | "agents" | "management";
  id: string;
  method: string;
  /** Below the base address of the API; campaigns and agents with their prefix. */
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

/**
 * Lists every operation, the deprecated ones too. The package has the rows in this module
 * (tools/package/write-data-modules.ts).
 */
export function allOperations(): readonly CatalogueOperation[] {
  return JSON.parse(readFileSync(new URL("operations.json", import.meta.url), "utf8"));
}
