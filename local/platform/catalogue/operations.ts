import { readFileSync } from "node:fs";

/** One operation of the platform, as its pages list it (README.md here). */
export interface CatalogueOperation {
  api: "chat" | "calls" | "import" | "campaigns" | "agents" | "management";
  id: string;
  method: string;
  /** The path below the API's base address; campaigns and agents with their prefix. */
  path: string;
  onBehalfOf: "required" | "optional" | "unsupported";
  /** Names of query parameters and top-level body fields; `createdAt[from]` counts as createdAt. */
  fields: string[];
  /** Default: false. */
  deprecated?: boolean;
  /** Whether the answer has no `data` around it. Default: false. */
  isBare?: boolean;
  /** The status of a success. Default: 200. */
  status?: number;
}

/** Includes deprecated operations. The package has the rows here (tools/package/build-package.ts). */
export function allOperations(): readonly CatalogueOperation[] {
  return JSON.parse(readFileSync(new URL("operations.json", import.meta.url), "utf8"));
}
