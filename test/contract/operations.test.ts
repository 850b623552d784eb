import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createChatClient } from "../../lib/chat/client.ts";
import { describeErrorCode } from "../../lib/chat/error-codes.ts";
import { ChatApiError, InvalidInputError } from "../../lib/chat/errors.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import type { Paged } from "../../lib/chat/pagination.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { appRoutes, managementRoutes } from "../../local/platform/routes.ts";
import { type ClientMethod, clientMethods } from "./client-operations.ts";
import type { Sample, World } from "./prepare.ts";
import { startRecordedServer } from "./recorded-server.ts";
import { defaultPath, samples } from "./samples.ts";

const routes = new Set([...appRoutes, ...managementRoutes].map(({ operationId }) => operationId));
const [app] = defaultSeed.apps;

let platform: Platform;
let recorded: Awaited<ReturnType<typeof startRecordedServer>>;

beforeAll(async () => {
  platform = await createPlatform();
  recorded = await startRecordedServer();
});
beforeEach(() => platform.reset());
afterAll(async () => {
  await platform.close();
  await recorded.close();
});

describe.each(clientMethods().map((method) => [method.operation.id, method] as const))("%s", (id, method) => {
  const isLocal = routes.has(id);

  it(`works with good input against the ${isLocal ? "local platform" : "recorded answer"}`, async () => {
    const here = isLocal ? localWorld() : recordedWorld();
    const sample = (await samples[id]?.(here)) ?? {};

    const answer = await call(here, method, sample);

    if (method.operation.paged) expect(Array.isArray(answer)).toBe(true);
    else expect(answer).not.toBeInstanceOf(Error);
  });

  it("refuses bad input before anything is sent", async () => {
    const here = {
      chat: createChatClient(unreachable),
      management: createManagementClient(unreachableManagement),
      simulate: async () => undefined,
    };
    const bad = method.operation.input
      ? { input: { "no such field": true }, ...actor(method) }
      : { badOption: true };

    await expect(call(here, method, bad)).rejects.toThrow(InvalidInputError);
  });

  it.runIf(
    isLocal && /\{(uid|guid|id|role|apiKey|webhookId|ruleId|keywordId)\}/.test(method.operation.request),
  )("gets a typed refusal for an id that nothing has", async () => {
    const here = localWorld();
    const sample = (await samples[id]?.(here)) ?? {};
    const unknown = {
      uid: "nobody",
      guid: "nowhere",
      id: "999999999",
      role: "nothing",
      apiKey: "f".repeat(40),
    };
    const others = { webhookId: "nohook", ruleId: "norule", keywordId: "nolist", messageId: "999999999" };
    const asked = { ...sample, path: { ...sample.path, ...unknown, ...others } };

    const refusal: unknown = await call(here, method, asked).catch((error: unknown) => error);

    if (!(refusal instanceof ChatApiError)) return expect(tolerant).toContain(id);
    expect(describeErrorCode(refusal.code)).toBeDefined();
    expect(refusal).toMatchObject({ operation: id, retryable: false });
    expect(refusal.status).toBeGreaterThanOrEqual(400);
    expect(refusal.status).toBeLessThan(500);
  });
});

/** Operations that take an unknown id without a word, as they may be repeated or take any id. */
const tolerant: readonly string[] = [];

const unreachable = { appId: app.appId, apiKey: app.fullAccessKey, fetch: refuseToSend };
const unreachableManagement = { credentials: defaultSeed.management, fetch: refuseToSend };

async function refuseToSend(): Promise<Response> {
  throw new Error("Something was sent.");
}

function localWorld(): World {
  const baseUrlTemplate = `${platform.url}/{appId}.{service}-{region}/v3`;
  return {
    chat: createChatClient({ appId: app.appId, apiKey: app.fullAccessKey, baseUrlTemplate }),
    management: createManagementClient({
      credentials: defaultSeed.management,
      baseUrl: platform.managementUrl,
      basicAuth: { username: "u", password: "p" },
    }),
    simulate,
  };
}

const simulate: World["simulate"] = async (method, path, body) => {
  const response = await fetch(`${platform.url}/_platform/apps/${app.appId}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data?: Record<string, string> };
  if (!response.ok) throw new Error(`The local platform refused ${path}: ${JSON.stringify(answer)}`);
  return answer.data;
};

function recordedWorld(): World {
  const { baseUrlTemplate, managementUrl } = recorded;
  return {
    chat: createChatClient({ appId: app.appId, apiKey: app.fullAccessKey, baseUrlTemplate }),
    management: createManagementClient({
      credentials: defaultSeed.management,
      baseUrl: managementUrl,
      basicAuth: { username: "u", password: "p" },
    }),
    simulate: async () => undefined,
  };
}

function actor({ operation }: ClientMethod): { onBehalfOf?: string } {
  return operation.onBehalfOf === "required" ? { onBehalfOf: "alice" } : {};
}

async function call(
  world: World,
  method: ClientMethod,
  sample: Sample & { badOption?: boolean },
): Promise<unknown> {
  const { client, family, method: name, operation } = method;
  const families = world[client] as unknown as Record<
    string,
    Record<string, (...args: unknown[]) => unknown>
  >;
  const onBehalfOf = sample.onBehalfOf ?? actor(method).onBehalfOf;
  const allowed = operation.onBehalfOf !== undefined && onBehalfOf !== undefined ? { onBehalfOf } : {};
  const args = [
    ...pathValues(operation.request, sample.path ?? {}),
    ...(operation.input ? [sample.input ?? {}] : []),
    { ...allowed, ...(sample.badOption ? { badOption: true } : {}) },
  ];
  const result = await (async () => families[family]?.[name]?.(...args))();
  return operation.paged ? (await (result as Paged<unknown>).page()).items : result;
}

function pathValues(request: string, given: Record<string, string>): string[] {
  return [...request.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => given[name] ?? defaultPath[name] ?? "1");
}
