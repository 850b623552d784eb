import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { placeIn } from "./config-text.ts";

const file = "functions/own/functions.yml";

/**
 * Says which own functions have the name of a shipped one and code of their own, a line for each: the two would be merged
 * into one function. What only tunes a shipped one, without `handler`, is fine. Says, too, what is no YAML, and what code is not there.
 * @param own The text of functions/own/functions.yml.
 * @param service The text of serverless.yml.
 * @param findHandler Says what is wrong with a handler's place, if anything is.
 */
export function checkFunctionNames(
  own: string,
  service: string,
  findHandler: (handler: string) => string | undefined = () => undefined,
): readonly string[] {
  const lines = new LineCounter();
  // Tags such as `!GetAtt` are the framework's, and no mistake.
  const { contents, errors } = parseDocument(own, {
    logLevel: "silent",
    lineCounter: lines,
    prettyErrors: false,
  });
  const shipped = shippedNames(service);
  const placeOf = (offset: number) => placeIn({ file, lines }, offset);
  if (errors.length > 0) return errors.map(({ message, pos }) => `${placeOf(pos[0])}: ${message}`);
  if (contents === null) return [];
  if (!isMap(contents)) return [`${file}:1:1: expected functions by name`];
  return contents.items.flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : "";
    const place = `${placeOf((isScalar(key) && key.range?.[0]) || 0)}: ${name}`;
    if (!isMap(value)) return [`${place}: expected keys with values, such as \`handler\``];
    if (shipped.includes(name))
      return value.has("handler")
        ? [`${place}: is the name of a shipped function; give yours another one`]
        : [];
    if (!value.has("handler")) return [`${place}: has no \`handler\`, and no shipped function has that name`];
    const handler = value.get("handler");
    const wrong = typeof handler === "string" ? findHandler(handler) : "expected a text as `handler`";
    return wrong === undefined ? [] : [`${place}: ${wrong}`];
  });
}

/** The functions that serverless.yml has itself, in its list of maps. */
function shippedNames(service: string): readonly string[] {
  const list = parseDocument(service, { logLevel: "silent" }).toJS()?.functions;
  const maps: readonly unknown[] = Array.isArray(list) ? list : [list];
  return maps.flatMap((map) => (typeof map === "object" && map !== null ? Object.keys(map) : []));
}
