import { existsSync, readFileSync } from "node:fs";

/** One operation of the platform, as the facts list it. */
export interface CatalogueOperation {
  api: "chat" | "calls" | "import" | "campaigns" | "management";
  id: string;
  method: string;
  /** Below the base address of the API; campaigns with their prefix. */
  path: string;
  onBehalfOf: "required" | "optional" | "unsupported";
}

/** What the facts say beside that, where they are at hand. */
export interface CatalogueDetails extends CatalogueOperation {
  /** Names of query parameters and top-level body fields; `createdAt[from]` counts as createdAt. */
  fields: string[];
  example: unknown;
  exampleMeta: unknown;
  /** The answer has no `data` around it. */
  isBare: boolean;
  status: number;
}

const facts = new URL("../../../shared/reference/", import.meta.url);

/** Tells whether the facts are at hand; a clone of the repository has only its own list. */
export const hasFacts = existsSync(facts);

/** The repository's own list of operations: those of the facts that are not deprecated. */
export function ownOperations(): CatalogueOperation[] {
  const text = readFileSync(new URL("./operations.json", import.meta.url), "utf8");
  return JSON.parse(text) as CatalogueOperation[];
}

/** Reads the operations out of the facts, without the deprecated ones. Call it only where `hasFacts`. */
export function factsOperations(): CatalogueDetails[] {
  return apis.flatMap(({ api, file, prefix }) => {
    const { operations } = readFacts(file) as { operations: RawOperation[] };
    return operations
      .filter((operation) => operation.deprecated !== true)
      .map((operation) => ({
        api,
        id: operation.operationId,
        method: operation.method,
        path: prefix + operation.path,
        onBehalfOf: operation.onBehalfOf ?? headerRule(operation.headers ?? []),
        fields: fieldsOf(operation),
        example: operation.example,
        exampleMeta: operation.exampleMeta,
        isBare: (operation.success?.envelope ?? "").startsWith("BARE"),
        status: operation.success?.status ?? 200,
      }));
  });
}

/** Reads one file of the facts. */
export function readFacts(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, facts), "utf8"));
}

const apis = [
  { api: "chat", file: "chat-api.json", prefix: "" },
  { api: "calls", file: "calls-api.json", prefix: "" },
  { api: "import", file: "data-import-api.json", prefix: "" },
  { api: "campaigns", file: "campaigns-api.json", prefix: "/campaigns" },
  { api: "management", file: "management-api.json", prefix: "" },
] as const;

interface RawOperation {
  operationId: string;
  method: string;
  path: string;
  deprecated?: boolean;
  onBehalfOf?: CatalogueOperation["onBehalfOf"];
  headers?: { name: string; required?: boolean }[];
  query?: { name: string }[];
  body?: { properties?: object; oneOf?: Record<string, object>; variants?: Record<string, object> } | null;
  success?: { envelope?: string; status?: number };
  example?: unknown;
  exampleMeta?: unknown;
}

function headerRule(headers: { name: string; required?: boolean }[]): CatalogueOperation["onBehalfOf"] {
  const header = headers.find(({ name }) => name.toLowerCase() === "onbehalfof");
  if (!header) return "unsupported";
  return header.required ? "required" : "optional";
}

function fieldsOf(operation: RawOperation): string[] {
  const { query = [], body } = operation;
  const groups = [
    body?.properties ?? {},
    ...Object.values(body?.oneOf ?? {}),
    ...Object.values(body?.variants ?? {}),
  ];
  const names = [...query.map(({ name }) => name), ...groups.flatMap((group) => Object.keys(group))];
  return [...new Set(names.map((name) => name.replace(/\[.*$/, "")))];
}
