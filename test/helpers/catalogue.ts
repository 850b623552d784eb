import { readFileSync } from "node:fs";
import type { CatalogueOperation } from "../../local/platform/catalogue/operations.ts";

/**
 * The shape of a printed example: a word for a value (`object`: anything in it), the fields of an object
 * (`*` for any name), or the shapes of a list's items.
 */
export type ExampleShape = string | readonly ExampleShape[] | { readonly [name: string]: ExampleShape };

/** Lists the shape of the `data` of every printed answer. */
export function documentedExamples(): { api: CatalogueOperation["api"]; id: string; data: ExampleShape }[] {
  return read("examples.json");
}

/** Lists the error codes of the Chat API; a status of null is not documented. */
export function documentedErrors(): { code: string; status: number | null }[] {
  return read("error-codes.json");
}

/** Lists the extensions, with the settings that those with documented settings must have. */
export function documentedExtensions(): { id: string; requiredSettings?: string[] }[] {
  return read("extensions.json");
}

/** Lists the triggers of the current engine by name. */
export function documentedTriggers(): string[] {
  return read("triggers.json");
}

/** Returns the printed body of every call of the platform, by the call's name. */
export function documentedSamples(): Record<string, Record<string, unknown>> {
  return read("webhook-samples.json");
}

// The tables are part of this project: they have the shapes above.
function read(file: string) {
  return JSON.parse(readFileSync(new URL(`../../local/platform/catalogue/${file}`, import.meta.url), "utf8"));
}
