import type { ExtensionId } from "../../lib/chat/management/extension-settings.ts";
import type { FieldType } from "../../local/platform/catalogue/catalogue.ts";
import { documentedInputs } from "../../local/platform/catalogue/inputs.ts";

/** Returns settings of an extension with every field on the pages. */
export function everySetting(extension: ExtensionId): object {
  const ids = [`update-settings-${extension}`, `store-or-update-settings-${extension}`, "store-chat-widget"];
  const body = ids.map((id) => inputs.get(id)).find((found) => found !== undefined) ?? {};
  const { "settings!": required, settings = required ?? body } = body;
  return sampleOf(settings) as object;
}

function sampleOf(type: FieldType): unknown {
  if (typeof type === "object") {
    if (Array.isArray(type)) return [sampleOf(type[0])];
    const fields = Object.entries(type).filter(([name]) => name !== "appId");
    return Object.fromEntries(fields.map(([name, inner]) => [name.replace(/!$/, ""), sampleOf(inner)]));
  }
  if (type.endsWith("[]")) return ["x"];
  if (type === "object") return {};
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return 1;
  return type.split("|")[0] === "string" ? "x" : (type.split("|")[0] ?? "x");
}

const inputs = new Map(
  documentedInputs()
    .filter(({ api }) => api === "management")
    .map(({ id, body }) => [id, body]),
);
