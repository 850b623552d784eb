import { isPair, isScalar, stringify } from "yaml";

/**
 * Writes a file of config/app/. The text does not depend on the order of the platform's answer.
 * @param folder Where the file is, such as `config/app`: the first line refers to the editors' schema from
 *   there.
 */
export function toYamlFile(folder: string, subject: string, content: unknown): string {
  const up = "../".repeat(folder.split("/").length - 1);
  const text = stringify(content, { lineWidth: 0, sortMapEntries: inOrder });
  return `# yaml-language-server: $schema=${up}schemas/app/${subject}.json\n${text}`;
}

/** Fields that identify a resource come first. */
const first = ["id", "role", "providerId", "name", "description", "url", "enabled"];

function inOrder(one: unknown, other: unknown): number {
  const [a, b] = [nameOf(one), nameOf(other)];
  const rank = placeOf(a) - placeOf(b);
  if (rank !== 0) return rank;
  return a < b ? -1 : a > b ? 1 : 0;
}

function placeOf(name: string): number {
  const place = first.indexOf(name);
  return place === -1 ? first.length : place;
}

function nameOf(pair: unknown): string {
  return isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : "";
}
