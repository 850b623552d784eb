/** Writes a value as the XML of AWS's query protocol: lists as `member`s, nothing for what is undefined. */
export function toXml(name: string, value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return `<${name}>${value.map((item) => toXml("member", item)).join("")}</${name}>`;
  if (value instanceof Date) return `<${name}>${value.toISOString()}</${name}>`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([field, content]) => toXml(field, content));
    return `<${name}>${fields.join("")}</${name}>`;
  }
  return `<${name}>${escapeXml(String(value))}</${name}>`;
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
