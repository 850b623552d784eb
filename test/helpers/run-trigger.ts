import { composeChatClient } from "../../lib/chat/compose.ts";
import { triggerKey } from "../../lib/effects/effect-key.ts";
import { createLedger } from "../../lib/effects/ledger.ts";
import { parseEvent } from "../../lib/events/parse-event.ts";
import type { AppEvent } from "../../lib/triggers/app-event.ts";
import type { Trigger } from "../../lib/triggers/on-trigger.ts";
import { triggerFamilies } from "../../lib/triggers/trigger-chat.ts";
import { createTestAnswers, createTestGuard } from "./loop-guard.ts";
import { createMemoryTable } from "./memory-table.ts";
import { createTestEffects } from "./test-effects.ts";

export interface RunTriggerOptions {
  /** How often the same event is handed to the trigger. Default: 1. */
  readonly deliveries?: number;
  /** How long ago the event happened, in milliseconds. Default: 0. */
  readonly ageMs?: number;
  /** Answers requests to the platform's API; undefined leaves a request to the helper, which answers as if all went well. */
  readonly answer?: (request: ApiRequest) => Response | undefined;
}

/** A request to the platform's REST API that the trigger made. */
export interface ApiRequest {
  readonly method: string;
  /** Without the version: `/messages`. */
  readonly path: string;
  readonly onBehalfOf: string | undefined;
  readonly body: Record<string, unknown> | undefined;
}

export interface TriggerOutcome {
  readonly requests: readonly ApiRequest[];
  /** The texts that were sent, for short. */
  readonly sent: readonly { from: string | undefined; to: string; text: string; metadata: object }[];
  /** Messages of the log. */
  readonly log: readonly string[];
  /** Why the event was passed over, each time. */
  readonly passedOver: readonly string[];
}

/**
 * Hands one event to one trigger: the real client and the real effects, on a platform that answers from here and a
 * table in memory. Give it the body of a delivery, as the builders make it, or a derived event.
 * @example const { sent } = await runTrigger(thanks, events.messageSent({ text: "thanks" }));
 */
export async function runTrigger(
  trigger: Trigger,
  body: object,
  { deliveries = 1, ageMs = 0, answer = () => undefined }: RunTriggerOptions = {},
): Promise<TriggerOutcome> {
  const event = isDerived(body) ? body : parse(body);
  const requests: ApiRequest[] = [];
  const log: string[] = [];
  const passedOver: string[] = [];
  const nowMs = event.head.occurredAt?.getTime() ?? 0;
  const now = () => nowMs;
  const table = createMemoryTable("id");
  const ledger = createLedger({ table, now });
  const note = (message: string) => log.push(message);
  const chat = composeChatClient(
    {
      appId: event.head.appId ?? "app-1",
      region: "eu",
      apiKey: "a-test-key",
      fetch: async (input, init) => {
        const request = await toApiRequest(new Request(input, init));
        requests.push(request);
        return answer(request) ?? Response.json({ data: dataFor(request, requests.length) });
      },
    },
    triggerFamilies,
  );

  const { appId = "app-1", key: factKey } = event.head;
  for (let delivery = 1; delivery <= deliveries; delivery++) {
    const effects = createTestEffects({
      ledger,
      call: chat.call,
      appId,
      guard: createTestGuard(appId),
      answers: createTestAnswers({ table, now }),
      key: triggerKey({ appId, factKey, triggerName: "the trigger" }),
      receivedAt: nowMs,
      scope: { deadlineMs: Number.MAX_SAFE_INTEGER, assertAlive: () => {} },
      now,
    });
    await trigger.run({
      event,
      chat,
      effects,
      log: { debug: note, info: note, warn: note, error: note },
      signal: new AbortController().signal,
      deadlineMs: Number.MAX_SAFE_INTEGER,
      attempt: delivery,
      now,
      app: { appId, region: event.head.region },
      receivedAt: new Date(nowMs),
      ageMs,
      passOver: (reason) => passedOver.push(reason),
    });
  }
  return { requests, sent: requests.filter(isSending).map(toText), log, passedOver };
}

function parse(body: object): AppEvent {
  const parsed = parseEvent(structuredClone(body));
  if (parsed.ok) return parsed.event;
  throw new Error(`This is no event: ${JSON.stringify(parsed.problems)}`);
}

function isDerived(body: object): body is AppEvent {
  return "kind" in body && body.kind === "derived";
}

async function toApiRequest(request: Request): Promise<ApiRequest> {
  const text = await request.text();
  return {
    method: request.method,
    path: new URL(request.url).pathname.replace(/^\/v3(\.0)?/, ""),
    onBehalfOf: request.headers.get("onBehalfOf") ?? undefined,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

function dataFor(request: ApiRequest, number: number): unknown {
  if (request.method === "GET") return [];
  return isSending(request)
    ? { ...request.body, id: String(9000 + number), sender: request.onBehalfOf ?? "app_system" }
    : { success: true };
}

function isSending({ method, path }: ApiRequest): boolean {
  return method === "POST" && path === "/messages";
}

function toText({ onBehalfOf, body }: ApiRequest) {
  const { receiver, data } = body as { receiver: string; data: { text: string; metadata: object } };
  return { from: onBehalfOf, to: receiver, text: data.text, metadata: data.metadata };
}
