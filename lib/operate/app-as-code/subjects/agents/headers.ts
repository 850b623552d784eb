import { isRecord, parseJson } from "../../../../base/json.ts";
import type { Fields } from "../../thing.ts";

/**
 * The platform keeps headers as the JSON text of an object; a declaration has the object, whose values may be
 * references to secrets. Another text is shown as it is: no valid file has it.
 */
export function headersOf(shown: unknown): Fields {
  if (typeof shown !== "string" || shown === "") return {};
  const read = parseJson(shown);
  if (!isRecord(read)) return { headers: shown };
  return Object.keys(read).length === 0 ? {} : { headers: read };
}

export function headersText(headers: unknown): string {
  return JSON.stringify(headers);
}
