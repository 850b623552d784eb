import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { hiderOf } from "../../../lib/base/known-secrets.ts";
import { collect } from "../../../lib/operate/personal-data/personal-store.ts";
import { type Person, tableStores } from "../../../lib/operate/personal-data/table-stores.ts";
import { payloadOf } from "../../../lib/queue/read-queued-event.ts";
import { deadLetterAttributes } from "../../../lib/queue/send-dead-letter.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import { TableService } from "../../cloud/table/table-service.ts";
import type { SnapshotBody } from "../../stack/snapshots/snapshot-file.ts";

/** With keys and passwords, of no user. */
const secretTables = new Set(["api_keys", "management_keys", "webhooks"]);

/** Returns what a snapshot holds about a person. */
export async function findInSnapshot(
  body: SnapshotBody,
  person: Person,
  cloud: Pick<Cloud, "resources" | "stores" | "region">,
): Promise<readonly unknown[]> {
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

function appOf(text: string): unknown {
  const content = parseJson(text);
  return isRecord(content) ? content.appId : undefined;
}

/** By the operator's own search, on a copy. */
async function findInTables(
  { cloud: { tables } }: SnapshotBody,
  person: Person,
  { resources, stores, region }: Pick<Cloud, "resources" | "stores" | "region">,
): Promise<readonly unknown[]> {
  const copy = new TableService();
  for (const { name, description } of stores.tables.list())
    copy.ensure(description, region).table.replace(tables[name] ?? []);
  const callAws: AwsCaller = async ({ target, input }) => copy.call(target.split(".")[1] ?? "", input);
  const nameOf = (logicalId: string) => resources[logicalId]?.name ?? logicalId;
  // A count of logins under a digest is in no snapshot alone.
  const loginWindowMs = Number.POSITIVE_INFINITY;
  const findings = await collect(tableStores({ person, callAws, nameOf, now: Date.now, loginWindowMs }));
  return [...findings.values()].flat().map(({ content }) => content);
}

/** Of bots, and of the customer's services. */
function passwordsIn(text: string): string[] {
  const content = parseJson(text);
  const fields = isRecord(content) ? [content.password, content.basicAuthPassword] : [];
  return fields.filter((field) => typeof field === "string");
}
