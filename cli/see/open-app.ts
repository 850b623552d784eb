import * as z from "zod/mini";
import { createTable } from "../../lib/aws/create-table.ts";
import { readRegion } from "../../lib/chat/address.ts";
import { composeOn, openConnection } from "../../lib/chat/compose.ts";
import type { Family } from "../../lib/chat/operation.ts";
import { messages } from "../../lib/chat/resources/messages.ts";
import type { TransportOptions } from "../../lib/chat/transport.ts";
import { openLaneStores } from "../../lib/queue/lanes/lane-store.ts";
import { readAppFields } from "../target/app-fields.ts";
import type { Stack, Target } from "../target/target.ts";

const rawMessage = {
  get: { ...messages.get, answer: () => z.unknown() },
  list: messages.list,
} as const satisfies Family;

export type OpenApp = Awaited<ReturnType<typeof openApp>>;

export async function openApp({ callAws, stack }: Target, appId: string, options: TransportOptions = {}) {
  const { output } = await stack();
  const secret = await readAppFields(callAws, output("SecretPrefix"), appId);
  const region = readRegion(secret.text("region"));
  const key = secret.text("apiKey");
  const connection = openConnection({
    ...options,
    appId,
    region,
    apiKey: { get: async () => key, refresh: async () => key },
    baseUrlTemplate: output("ChatBaseUrlTemplate"),
  });
  const client = composeOn(connection, { messages: rawMessage });
  return { appId, region, secret, connection, messages: client.messages };
}

export function openStores({ callAws }: Target, { physicalId }: Stack, now: () => number) {
  const tableName = physicalId("LanesTable");
  return openLaneStores(createTable({ callAws, tableName, sortKey: "item" }), now);
}
