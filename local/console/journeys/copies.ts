import { isPackage } from "../../../build/folders.ts";
import { shellText } from "../../../cli/shell-text.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { flowsStep } from "../../../lib/flows/wake-flows.ts";
import { webhookUrlOf } from "../../../lib/receive/webhook-url.ts";
import { findWebhook } from "../../platform/store/webhooks.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import type { JourneyCall, JourneyCopies, JourneyDetail } from "../api/journeys.ts";
import type { Journey } from "./journey.ts";

/** The generation of the receiver's webhook (local/stack/put-webhook.ts). */
const generation = 2;

/** Uses a shell variable for the password. */
export function writeCurl(localStack: LocalStack, { origin, facts }: Journey, body: string): string {
  const { platform, cloud, webhook } = localStack;
  const { appId } = facts;
  const found =
    origin.kind === "platform"
      ? findWebhook({ db: platform.services.db, appId }, generation, origin.webhookId)
      : undefined;
  const { username = webhook.username } = found ?? {};
  return [
    `curl -sS -i ${shellText(webhookUrlOf(cloud.httpUrl, appId))}`,
    `  -u ${shellText(`${username}:`)}"$WEBHOOK_PASSWORD"`,
    "  -H 'content-type: application/json'",
    `  --data-raw ${shellText(body)}`,
  ].join(" \\\n");
}

/** Writes copies; the test covers the trigger that acted or failed first. */
export function writeCopies({ handling, row }: JourneyDetail, body: string): Omit<JourneyCopies, "curl"> {
  const delivery = parseJson(body);
  const runs = handling
    .flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.runs))
    .filter((run) => run.handler !== "reading" && run.handler !== flowsStep);
  const first = runs.find(({ outcome }) => ["acted", "started-flow", "failed"].includes(outcome)) ?? runs[0];
  const calls = runs.flatMap((run) => (run.handler === first?.handler ? run.calls : []));
  return {
    fixture: `${delivery === undefined ? body : JSON.stringify(delivery, undefined, 2)}\n`,
    test: first && writeRunTriggerTest(first.handler, row.trigger, delivery, calls.flatMap(readSentText)),
  };
}

interface SentText {
  readonly from?: string;
  readonly to: string;
  readonly text: string;
}

function readSentText({ method, path, status, sent, onBehalfOf: from }: JourneyCall): readonly SentText[] {
  if (method !== "POST" || !/\/messages(\?|$)/.test(path) || status >= 300) return [];
  const body = parseJson(sent?.kind === "text" ? sent.text : "");
  if (!isRecord(body) || !isRecord(body.data)) return [];
  const { receiver: to, data } = body;
  if (typeof to !== "string" || typeof data.text !== "string") return [];
  return [{ ...(from !== undefined && { from }), to, text: data.text }];
}

function writeRunTriggerTest(handler: string, trigger: string, delivery: unknown, sent: readonly SentText[]) {
  // The handler's name is free text, which must not become a path.
  const fileName = handler.toLowerCase().replaceAll(/[^a-z0-9-]+/g, "-") || "trigger";
  const missing = isPackage
    ? `functions/own/triggers.ts has no trigger ${handler}. Create an included trigger with a function of cometchat-functions/triggers.`
    : `There is no trigger ${handler}.`;
  return `// Save as test/own/${fileName}.test.ts
${isPackage ? importsOfApp : importsOfRepository}
const delivery = ${JSON.stringify(delivery, undefined, 2)};

it(${JSON.stringify(`${handler} handles ${trigger}`)}, async () => {
  const trigger = ${isPackage ? "ownTriggers" : "joinTables(ownTriggers, shippedTriggers)"}[${JSON.stringify(handler)}];
  if (trigger === undefined) throw new Error(${JSON.stringify(missing)});

  const { isHandled, sent } = await runTrigger(trigger, delivery);

  expect(isHandled).toBe(true);
  expect(sent).toMatchObject(${JSON.stringify(sent, undefined, 2).replaceAll("\n", "\n  ")});
});
`;
}

const importsOfRepository = `import { expect, it } from "vitest";
import { ownTriggers } from "../../functions/own/triggers.ts";
import { shippedTriggers } from "../../functions/triggers/index.ts";
import { joinTables } from "../../lib/handle/enabled-triggers.ts";
import { runTrigger } from "../../local/testing/run-trigger.ts";
`;

const importsOfApp = `import { runTrigger } from "cometchat-functions/testing";
import { expect, it } from "vitest";
import { ownTriggers } from "../../functions/own/triggers.ts";
`;
