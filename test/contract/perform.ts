import { createChatClient } from "../../lib/chat/client.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import type { Paged } from "../../lib/chat/paged.ts";
import type { Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import type { ClientMethod } from "./client-operations.ts";
import type { Sample, World } from "./prepare.ts";
import type { Row } from "./row.ts";
import { defaultPath } from "./rows.ts";

const [app] = defaultSeed.apps;

/** Prepares all that a row needs, and returns the arguments of its call. */
export async function prepareRow({ given = {} }: Pick<Row, "given">, world: World): Promise<Sample> {
  return typeof given === "function" ? await given(world) : given;
}

/** Ids that do not exist, by the name of the path's parameter. */
export const unknownIds: Readonly<Record<string, string>> = {
  uid: "nobody",
  guid: "nowhere",
  id: "999999999",
  role: "nothing",
  apiKey: "f".repeat(40),
  webhookId: "nohook",
  ruleId: "norule",
  keywordId: "nolist",
  messageId: "999999999",
};

/** Returns clients of a platform's seeded app; `send` replaces their fetch. */
export function localWorld(platform: Platform, send: typeof fetch = fetch): World {
  const baseUrlTemplate = `${platform.url}/{appId}.{service}-{region}/v3`;
  return {
    chat: createChatClient({ appId: app.appId, apiKey: app.fullAccessKey, baseUrlTemplate, fetch: send }),
    management: createManagementClient({
      credentials: defaultSeed.management,
      baseUrl: platform.managementUrl,
      fetch: send,
      basicAuth: { username: defaultSeed.management.key, password: defaultSeed.management.secret },
    }),
    simulate: simulateOn(platform),
  };
}

const simulateOn =
  (platform: Platform): World["simulate"] =>
  async (method, path, body) => {
    const response = await fetch(`${platform.url}/_platform/apps/${app.appId}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { data?: Record<string, string> };
    if (!response.ok) throw new Error(`The local platform refused ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };

/** Names the acting user of an operation that requires one. */
function actorOf({ operation }: ClientMethod): { onBehalfOf?: string } {
  return operation.onBehalfOf === "required" ? { onBehalfOf: "alice" } : {};
}

/** Calls a client's method with a sample; a list returns its first page. */
export async function call(world: World, method: ClientMethod, sample: Sample): Promise<unknown> {
  const { client, family, method: name, operation } = method;
  const families = world[client] as unknown as Record<
    string,
    Record<string, (...args: unknown[]) => unknown>
  >;
  const onBehalfOf = sample.onBehalfOf ?? actorOf(method).onBehalfOf;
  const allowed = operation.onBehalfOf !== undefined && onBehalfOf !== undefined ? { onBehalfOf } : {};
  const args = [
    ...Object.values(pathOf(sample, method)),
    ...(operation.input ? [sample.input ?? {}] : []),
    allowed,
  ];
  const result = await (async () => families[family]?.[name]?.(...args))();
  return operation.paged ? (await (result as Paged<unknown>).page()).items : result;
}

/** Values of the operation's path, in order. */
function pathOf({ path = {} }: Sample, { operation }: ClientMethod): Record<string, string> {
  const names = [...operation.request.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, path[name] ?? defaultPath[name] ?? "1"]));
}
