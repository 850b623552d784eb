import { isPackage } from "../../../build/folders.ts";
import { isRecord } from "../../../lib/base/json.ts";

export interface SentInCall {
  readonly from: string | undefined;
  readonly to: string;
  readonly text: string;
}

/** Undefined if it is not a text message. */
export function readSentText(body: unknown, from: string | undefined): SentInCall | undefined {
  if (!isRecord(body) || !isRecord(body.data)) return undefined;
  const { receiver, data } = body;
  return typeof receiver === "string" && typeof data.text === "string"
    ? { from, to: receiver, text: data.text }
    : undefined;
}

/**
 * Writes a test that passes the delivery to one trigger and expects the same outcome. Its imports are
 * relative to `test/own/`.
 */
export function writeRunTriggerTest(of: {
  readonly handler: string;
  readonly trigger: string;
  readonly delivery: unknown;
  readonly sent: readonly SentInCall[];
}): string {
  const { handler, trigger, delivery, sent } = of;
  const name = JSON.stringify(handler);
  return `// Save as test/own/${fileNameOf(handler)}.test.ts
${isPackage ? importsOfApp : importsOfRepository}
const delivery = ${JSON.stringify(delivery, undefined, 2)};

it(${JSON.stringify(`${handler} handles ${trigger}`)}, async () => {
  const trigger = ${isPackage ? "ownTriggers" : "joinTables(ownTriggers, shippedTriggers)"}[${name}];
  if (trigger === undefined) throw new Error(${JSON.stringify(isPackage ? `functions/own/triggers.ts has no trigger ${handler}. Create an included trigger with a function of cometchat-functions/triggers.` : `There is no trigger ${handler}.`)});

  const { isHandled, sent } = await runTrigger(trigger, delivery);

  expect(isHandled).toBe(true);
  expect(sent).toMatchObject(${JSON.stringify(sent.map(written), undefined, 2).replaceAll("\n", "\n  ")});
});
`;
}

const importsOfRepository = `import { expect, it } from "vitest";
import { ownTriggers } from "../../functions/own/triggers.ts";
import { shippedTriggers } from "../../functions/triggers/index.ts";
import { joinTables } from "../../lib/handle/join-tables.ts";
import { runTrigger } from "../../local/testing/run-trigger.ts";
`;

/** Included triggers come from the package. */
const importsOfApp = `import { runTrigger } from "cometchat-functions/testing";
import { expect, it } from "vitest";
import { ownTriggers } from "../../functions/own/triggers.ts";
`;

function written({ from, to, text }: SentInCall) {
  return { ...(from !== undefined && { from }), to, text };
}

/** The handler's name is free text, which must not become a path. */
function fileNameOf(handler: string): string {
  return handler.toLowerCase().replaceAll(/[^a-z0-9-]+/g, "-") || "trigger";
}
