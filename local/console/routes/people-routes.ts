import timers from "node:timers/promises";
import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { isRecord, parseJson, readPath } from "../../../lib/base/json.ts";
import { hiderOf } from "../../../lib/base/known-secrets.ts";
import { collect, createMentions } from "../../../lib/operate/personal-data/personal-store.ts";
import { type Person, tableStores } from "../../../lib/operate/personal-data/table-stores.ts";
import { payloadOf } from "../../../lib/queue/read-queued-event.ts";
import { deadLetterAttributes } from "../../../lib/queue/send-dead-letter.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import { TableService } from "../../cloud/table/table-service.ts";
import { deleteDeliveries, listDeliveries } from "../../platform/store/webhooks.ts";
import type { SnapshotBody } from "../../stack/snapshots/snapshot-file.ts";
import { type KeptCall, textOf } from "../calls/call-store.ts";
import type { ConsoleContext } from "../console-context.ts";
import type { Journey } from "../journeys/journey.ts";
import type { KeptLine } from "../kept-list.ts";

const settleMs = 5_000;

/** Adds routes of `people export` and `people erase` for the local stack's data. */
export function addPeopleRoutes(parts: ConsoleContext): void {
  const { on, localStack } = parts;
  const path = "/api/people/:app/:uid" as const;
  const snapshotsWith = async (person: Person) => {
    const found = localStack.snapshots.list().map(async ({ name: id, isCompatible }) => {
      if (!isCompatible) return { id, content: ["saved by another version, not searched"] };
      return { id, content: await findInSnapshot(localStack.snapshots.read(id), person, localStack.cloud) };
    });
    return (await Promise.all(found)).filter(({ content }) => content.length > 0);
  };

  on.get(`${path}/snapshots`, async (context) => ({
    items: await snapshotsWith(personOf(context.req.param())),
  }));
  on.delete(`${path}/snapshots`, async (context) => {
    for (const { id } of await snapshotsWith(personOf(context.req.param()))) localStack.snapshots.remove(id);
    return { items: [] };
  });
  on.get(`${path}/console`, (context) => ({
    items: consoleHistory(parts, personOf(context.req.param())).find(),
  }));
  on.delete(`${path}/console`, async (context) => {
    // The functions handle what the platform reports of deletions.
    await Promise.race([localStack.platform.idle(), timers.setTimeout(settleMs)]);
    await localStack.cloud.settled({ timeoutMs: settleMs });
    consoleHistory(parts, personOf(context.req.param())).erase();
    return { items: [] };
  });
}

function personOf({ app: appId, uid }: { readonly app: string; readonly uid: string }): Person {
  return { appId, uid, mentions: createMentions(uid) };
}

function consoleHistory({ localStack, journal, calls, lines }: ConsoleContext, person: Person) {
  const { appId, mentions } = person;
  const { db } = localStack.platform.services;
  const isInRequest = ({ path, onBehalfOf }: Pick<KeptCall, "path" | "onBehalfOf">) =>
    mentions([path.split(/[^\w-]+/), onBehalfOf]);
  const isInCall = (call: KeptCall) => {
    const { appId: ofCall = appId, sent, answer } = call;
    return ofCall === appId && (isInRequest(call) || mentions([textOf(sent), textOf(answer)]));
  };
  const isInJourney = ({ facts, body, messages }: Journey) =>
    facts.appId === appId && mentions({ facts, body, messages });
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
      ...[...journal.store.journeys.values()].filter(isInJourney).map(({ id, facts, body, messages }) => ({
        id: `event ${id}`,
        content: { facts, body, messages },
      })),
      ...calls.all.filter(isInCall).map((call) => ({ id: `call ${call.id}`, content: call })),
      ...lines.all.filter(isInLine).map((line) => ({ id: `line ${line.id}`, content: line.text })),
    ],
    erase() {
      const ids = deliveries().map(({ id }) => id);
      const journeyIds = new Set(ids.map((id) => `d${id}`));
      deleteDeliveries(db, ids);
      journal.store.forget((journey) => journeyIds.has(journey.id) || isInJourney(journey), isInRequest);
      calls.forget(isInCall);
      lines.forget(isInLine);
    },
  };
}

/** Tables of keys and passwords, not of users. */
const secretTables = new Set(["api_keys", "management_keys", "webhooks"]);

async function findInSnapshot(body: SnapshotBody, person: Person, cloud: Cloud) {
  const { appId, mentions } = person;
  const { auth_tokens: tokens = [], ...tables } = body.platform.tables;
  const { documents = [] } = tables;
  // A device's row has its token, too, and a bot's its password.
  const hide = hiderOf([
    ...tokens.map((row) => String(row.auth_token)),
    ...documents.flatMap((row) => passwordsIn(String(row.body))),
  ]);
  const rows = Object.entries(tables).flatMap(([table, all]) =>
    secretTables.has(table)
      ? []
      : all
          .map(({ target: _credentials, ...row }) => ({ table, row }))
          .filter(({ row }) => row.app_id === appId && mentions(row))
          .map((found) => parseJson(hide(JSON.stringify(found)))),
  );
  const messages = Object.entries(body.cloud.queues).flatMap(([queue, all]) =>
    all.map(({ body: text, attributes }) => {
      const textOf = (name: "appId" | "cause") => attributes[deadLetterAttributes[name]]?.StringValue;
      const content = { queue, cause: textOf("cause"), message: payloadOf(text) ?? text };
      return { of: textOf("appId") ?? appOf(text), content };
    }),
  );
  const flows = body.cloud.executions.map(({ payload, result, error, operations }) => ({
    of: appOf(payload),
    content: { flow: payload, result, error, operations },
  }));
  const others = [...messages, ...flows].filter(({ of, content }) => of === appId && mentions(content));
  return [...rows, ...others.map(({ content }) => content), ...(await findInTables(body, person, cloud))];
}

function appOf(text: string) {
  return readPath(parseJson(text), "appId");
}

/** Searches a copy as the operator's command does. */
async function findInTables(
  { cloud: { tables } }: SnapshotBody,
  person: Person,
  { resources, stores, region }: Cloud,
) {
  const copy = new TableService();
  for (const { name, description } of stores.tables.list())
    copy.ensure(description, region).table.replace(tables[name] ?? []);
  const callAws: AwsCaller = async ({ target, input }) => copy.call(target.split(".")[1] ?? "", input);
  const nameOf = (logicalId: string) => resources[logicalId]?.name ?? logicalId;
  // Skips login counts, whose ids are digests.
  const loginWindowMs = Number.POSITIVE_INFINITY;
  const findings = await collect(tableStores({ person, callAws, nameOf, now: Date.now, loginWindowMs }));
  return [...findings.values()].flat().map(({ content }) => content);
}

function passwordsIn(text: string): string[] {
  const content = parseJson(text);
  const fields = isRecord(content) ? [content.password, content.basicAuthPassword] : [];
  return fields.filter((field) => typeof field === "string");
}
