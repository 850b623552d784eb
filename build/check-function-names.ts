import { isRecord } from "../lib/base/json.ts";
import { placeOf, readYaml } from "./config-text.ts";

const file = "functions/own/functions.yml";

/**
 * Lists own functions with a shipped one's name and their own code: they would be merged. An entry without
 * `handler` tunes the shipped function, except its events: the framework merges lists by index.
 * @param own functions/own/functions.yml
 * @param service serverless.yml
 * @param findHandler returns the mistake of a handler's place, if any
 */
export function checkFunctionNames(
  own: string,
  service: string,
  findHandler: (handler: string) => string | undefined = () => undefined,
): readonly string[] {
  const text = readYaml(file, own, { tags: true });
  const shipped = shippedNames(service);
  if (text.mistakes.length > 0) return text.mistakes;
  if (text.content === null) return [];
  if (!isRecord(text.content)) return [`${file}:1:1: expected functions by name`];
  return Object.entries(text.content).flatMap(([name, definition]) => {
    const problem = problemOf(definition, shipped.includes(name), findHandler);
    return problem === undefined ? [] : [`${placeOf(text, [name])}: ${name}: ${problem}`];
  });
}

function problemOf(
  definition: unknown,
  isShipped: boolean,
  findHandler: (handler: string) => string | undefined,
) {
  if (!isRecord(definition)) return "expected keys with values, such as `handler`";
  const { handler, events } = definition;
  if (isShipped && handler === undefined) return isOneSchedule(events) ? undefined : replacesEvents;
  if (isShipped) return "is the name of a shipped function; give yours another one";
  if (handler === undefined) return "has no `handler`, and no shipped function has that name";
  return typeof handler === "string" ? findHandler(handler) : "expected a text as `handler`";
}

/** One schedule replaces the only one of a nightly job. */
function isOneSchedule(events: unknown) {
  if (!Array.isArray(events)) return events === undefined;
  return events.length === 1 && isRecord(events[0]) && Object.keys(events[0]).join() === "schedule";
}

const replacesEvents = "`events` would replace the shipped ones; give them to a function of your own";

function shippedNames(service: string) {
  const { content } = readYaml("serverless.yml", service, { tags: true });
  return [isRecord(content) ? content.functions : undefined]
    .flat()
    .flatMap((map) => (isRecord(map) ? Object.keys(map) : []));
}
