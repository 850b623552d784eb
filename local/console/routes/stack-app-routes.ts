import * as z from "zod/mini";
import { readPath } from "../../../lib/base/json.ts";
import { consoleAgent } from "../../platform/http/address.ts";
import { nowSeconds, type Services, servicesOf } from "../../platform/services/services.ts";
import { countContents } from "../../platform/store/metrics.ts";
import { activeEngine, listWebhooks } from "../../platform/store/webhooks.ts";
import { readSecret } from "../../stack/local-stack.ts";
import type { SeedAnswer, TriedText, WebhooksAnswer } from "../api/stack.ts";
import { accessTo, appOf, fetchPlatform } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { LoadMaker } from "../load/load-maker.ts";
import { readInput, WrongInputError } from "../read-input.ts";

type LocalStack = ConsoleContext["localStack"];

const loadSchema = z.object({
  users: z.int().check(z.minimum(1), z.maximum(10_000)),
  messages: z.int().check(z.minimum(0), z.maximum(1_000_000)),
});

export function addStackSeedRoutes({ on, localStack }: ConsoleContext): void {
  const maker = new LoadMaker(localStack);
  const { db } = localStack.platform.services;
  const path = "/api/stack/seed/:appId";
  on.get(path, (context) => {
    const { appId } = appOf(localStack, context.req.param("appId"));
    return { contents: countContents({ db, appId }), load: maker.state } satisfies SeedAnswer;
  });
  on.post(`${path}/load`, async (context) => {
    const found = appOf(localStack, context.req.param("appId"));
    const wanted = await readInput(context, loadSchema);
    if (maker.state.isRunning)
      throw new WrongInputError("A load is already running. Wait for it, or stop it.", 409);
    maker.start(found, wanted);
    return maker.state;
  });
  on.delete(`${path}/load`, () => {
    maker.stop("Stopped.");
    return maker.state;
  });
  on.post("/api/stack/reset", async () => {
    maker.stop("The local stack is being reset.");
    await localStack.reset({ endsFunctions: true });
    return { success: true };
  });
}

export function addStackWebhooksRoutes({ on, localStack }: ConsoleContext): void {
  on.get("/api/stack/webhooks/:appId", (context) => {
    const { appId } = appOf(localStack, context.req.param("appId"));
    const engine = activeEngine({ db: localStack.platform.services.db, appId }) === 1 ? "legacy" : "current";
    const problems = appId === localStack.app.appId ? judge(localStack, engine) : [];
    return { engine, problems } satisfies WebhooksAnswer;
  });
  on.post("/api/stack/reconnect", async () => {
    await localStack.reconnect();
    return { success: true };
  });
}

/** Compares stored passwords, which the platform's API does not return. */
function judge({ app: { appId }, platform, cloud, webhook: needed }: LocalStack, engine: string): string[] {
  const all = listWebhooks({ db: platform.services.db, appId }, 2);
  const found = all.find(({ id }) => id === "functions");
  const problems =
    engine === "legacy" ? ["The legacy engine delivers, but the functions need the current one."] : [];
  if (found === undefined) return [...problems, "The webhook does not exist."];
  const { enabled, url, useBasicAuth, username, password } = found;
  if (!enabled) problems.push("The webhook is disabled.");
  if (url !== needed.url) problems.push("The webhook has another address.");
  // A rotation sets the pending password before it is current; the functions accept both.
  const { webhookPassword = needed.password } = readSecret(cloud, `${appId}/webhook`, "AWSPENDING");
  const isAccepted = password === needed.password || password === webhookPassword;
  if (!useBasicAuth || username !== needed.username || !isAccepted)
    problems.push("The webhook has other credentials than the functions.");
  return problems;
}

const triedSchema = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(100_000)),
  sender: z.string().check(z.toLowerCase()),
  receiver: z.string().check(z.toLowerCase()),
  receiverType: z.enum(["user", "group"]),
});

export function addStackModerationRoutes({ on, localStack }: ConsoleContext): void {
  on.post("/api/stack/moderation/:appId/try", async (context) => {
    const { text, ...parties } = await readInput(context, triedSchema);
    const { sender, receiver, receiverType } = parties;
    const found = appOf(localStack, context.req.param("appId"));
    const { base, apiKey: apikey } = accessTo(localStack, found.appId);
    for (const [kind, id] of [["user", sender] as const, [receiverType, receiver] as const]) {
      const headers = { apikey, "user-agent": consoleAgent };
      const { ok } = await fetchPlatform(`${base}/${kind}s/${encodeURIComponent(id)}`, { headers });
      if (!ok) throw new WrongInputError(`The app ${found.appId} has no ${kind} ${id}.`);
    }
    const ask: Services["ask"] = async () => {
      const json = { isMatchingCondition: false, confidence: 0 };
      return { status: 200, error: undefined, isTimeout: false, text: "", json, atMs: 0 };
    };
    const services = { ...servicesOf(localStack.platform.services, found), ask };
    const sentAt = nowSeconds(services);
    const verdict = await services.moderate(services, {
      ...parties,
      id: "0",
      conversationId: "",
      category: "message",
      type: "text",
      data: { text },
      sentAt,
      updatedAt: sentAt,
    });
    const { outcome, isDropped = false, rule, blocked } = verdict ?? {};
    const blocking = isDropped ? "dropped" : "blocked";
    return {
      outcome: outcome === "disapproved" ? blocking : (outcome ?? "not judged"),
      rule: rule && { ...rule, message: messageOf(blocked) },
    } satisfies TriedText;
  });
}

function messageOf(blocked: unknown) {
  const message = readPath(blocked, "condition.message");
  return Array.isArray(message) ? message.join(" ") : "";
}
