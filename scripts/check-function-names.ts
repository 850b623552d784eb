import { isMap, isScalar, LineCounter, parseDocument } from "yaml";

/**
 * Says which own functions have the name of a shipped one and code of their own, a line for each: the two would be merged
 * into one function. What only tunes a shipped one, without `handler`, is fine.
 * @param own The text of functions/own/functions.yml.
 * @param service The text of serverless.yml.
 */
export function checkFunctionNames(own: string, service: string): readonly string[] {
  const lines = new LineCounter();
  const ownFunctions = parseDocument(own, { lineCounter: lines }).contents;
  const shipped = shippedNames(service);
  if (ownFunctions === null) return [];
  if (!isMap(ownFunctions)) return ["functions/own/functions.yml:1:1: expected functions by name"];
  return ownFunctions.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : "";
    const { line, col } = lines.linePos((isScalar(key) && key.range?.[0]) || 0);
    const place = `functions/own/functions.yml:${line}:${col}: ${name}`;
    if (!isMap(value)) return [`${place}: expected keys with values, such as \`handler\``];
    if (!shipped.includes(name)) {
      return value.has("handler")
        ? []
        : [`${place}: has no \`handler\`, and no shipped function has that name`];
    }
    return value.has("handler")
      ? [`${place}: is the name of a shipped function; give yours another one`]
      : [];
  });
}

/** The functions that serverless.yml has itself, in its list of maps. */
function shippedNames(service: string): readonly string[] {
  const list = parseDocument(service, { logLevel: "silent" }).toJS()?.functions;
  const maps: readonly unknown[] = Array.isArray(list) ? list : [list];
  return maps.flatMap((map) => (typeof map === "object" && map !== null ? Object.keys(map) : []));
}
