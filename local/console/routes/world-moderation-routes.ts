import type { Hono } from "hono";
import * as z from "zod/mini";
import { consoleAgent } from "../../platform/http/caller-of.ts";
import { nowSeconds, type Services, servicesOf } from "../../platform/services/services.ts";
import type { TriedText } from "../api/world-moderation.ts";
import { accessTo, appOf, fetchPlatform } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { readInput, WrongInputError } from "../read-input.ts";
import { textAt, valueAt } from "../read-value.ts";

const triedSchema = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(100_000)),
  sender: z.pipe(
    z.string(),
    z.transform((uid) => uid.toLowerCase()),
  ),
  receiver: z.pipe(
    z.string(),
    z.transform((id) => id.toLowerCase()),
  ),
  receiverType: z.enum(["user", "group"]),
});

/** `POST /api/world/moderation/{appId}/try`: the text is not stored. */
export function addWorldModerationRoutes(app: Hono, { world }: ConsoleContext): void {
  app.post("/api/world/moderation/:appId/try", async (context) => {
    const { text, ...parties } = await readInput(context, triedSchema);
    const { sender, receiver, receiverType } = parties;
    const found = appOf(world, context.req.param("appId"));
    const { base, apiKey: apikey } = accessTo(world, found.appId);
    for (const [kind, id] of [["user", sender] as const, [receiverType, receiver] as const]) {
      const headers = { apikey, "user-agent": consoleAgent };
      const { ok } = await fetchPlatform(`${base}/${kind}s/${encodeURIComponent(id)}`, { headers });
      if (!ok) throw new WrongInputError(`The app ${found.appId} has no ${kind} ${id}.`);
    }
    const wouldAsk = new Set<string>();
    const ask: Services["ask"] = async ({ target }) => {
      wouldAsk.add(target);
      const json = { isMatchingCondition: false, confidence: 0 };
      return { status: 200, error: undefined, isTimeout: false, text: "", json, atMs: 0 };
    };
    const services = { ...servicesOf(world.platform.services, found), ask };
    const [sentAt, updatedAt] = [nowSeconds(services), nowSeconds(services)];
    const verdict = await services.moderate(services, {
      ...{ ...parties, id: "0", conversationId: "", category: "message", type: "text" },
      ...{ data: { text }, sentAt, updatedAt },
    });
    const { outcome, isDropped = false, rule, blocked, entries = [] } = verdict ?? {};
    const blocking = isDropped ? "dropped" : "blocked";
    return context.json<TriedText>({
      outcome: outcome === "disapproved" ? blocking : (outcome ?? "not judged"),
      rule: rule && { ...rule, message: messageOf(blocked) },
      passedOver: entries.flatMap((entry) => ("filter" in entry ? [textAt(entry, "rule.name")] : [])),
      wouldAsk: [...wouldAsk],
    });
  });
}

function messageOf(blocked: unknown): string {
  const message = valueAt(blocked, "condition.message");
  return Array.isArray(message) ? message.join(" ") : "";
}
