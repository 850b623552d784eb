import { parseJson } from "../../../lib/base/json.ts";
import type { Person } from "../../../lib/operate/personal-data/table-stores.ts";
import { deleteDeliveries, listDeliveries } from "../../platform/store/webhooks.ts";
import type { KeptCall } from "../calls/call-store.ts";
import { textOf } from "../calls/kept-body.ts";
import type { ConsoleContext } from "../console-context.ts";
import type { KeptLine } from "../log/line-store.ts";

/**
 * Returns what the console keeps about a person: the platform's deliveries, events from elsewhere, calls to
 * the platform and lines of the log; and what erases it.
 */
export function consoleHistory({ world, journal, calls, lines }: ConsoleContext, person: Person) {
  const { appId, mentions } = person;
  const { db } = world.platform.services;
  const isInCall = ({ appId: ofCall = appId, path, onBehalfOf, sent, answer }: KeptCall) => {
    return ofCall === appId && mentions([path.split(/[^\w-]+/), onBehalfOf, textOf(sent), textOf(answer)]);
  };
  const isInLine = ({ text }: KeptLine) => {
    const line = parseJson(text);
    const { appId: ofLine = appId } = Object(line);
    return ofLine === appId && mentions(line ?? { cause: text });
  };
  const deliveries = () =>
    listDeliveries(db, appId, Number.MAX_SAFE_INTEGER).filter(({ body }) => mentions(body));
  return {
    find: () => [
      ...deliveries().map(({ id, body }) => ({ id: `delivery ${id}`, content: parseJson(body) ?? body })),
      ...[...journal.store.journeys.values()]
        .map(({ id, facts, body, messages }) => ({
          ...{ id: `event ${id}`, of: facts.appId },
          // With what the functions did.
          content: { facts, body, messages },
        }))
        .filter(({ of, content }) => of === appId && mentions(content))
        .map(({ id, content }) => ({ id, content })),
      ...calls.all.filter(isInCall).map((call) => ({ id: `call ${call.id}`, content: call })),
      ...lines.all.filter(isInLine).map((line) => ({ id: `line ${line.id}`, content: line.text })),
    ],
    erase() {
      deleteDeliveries(
        db,
        deliveries().map(({ id }) => id),
      );
      // What is left of the platform's deliveries comes back, without what the functions did.
      journal.reread();
      calls.forget(isInCall);
      lines.forget(isInLine);
    },
  };
}
