import type { Hono } from "hono";
import * as z from "zod/mini";
import { evaluateRules } from "../../platform/moderation/evaluate.ts";
import { listKeywordLists, listRules } from "../../platform/moderation/moderation-store.ts";
import { nowSeconds } from "../../platform/services/services.ts";
import { findGroup } from "../../platform/store/groups.ts";
import { findUser } from "../../platform/store/users.ts";
import type { TriedText } from "../api/world-moderation.ts";
import type { ConsoleContext } from "../console-context.ts";

const triedSchema = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(100_000)),
  sender: z.string(),
  receiver: z.string(),
  receiverType: z.enum(["user", "group"]),
});

/** `POST /api/world/moderation/{appId}/try`: the text is not stored. */
export function addWorldModerationRoutes(app: Hono, { world }: ConsoleContext): void {
  app.post("/api/world/moderation/:appId/try", async (context) => {
    const refuse = (message: string) => context.json({ error: { message } }, 400);
    const { services } = world.platform;
    const appId = context.req.param("appId");
    const asked = triedSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!asked.success)
      return refuse("Trying a text needs text, sender, receiver and receiverType (user or group).");
    const { text, receiverType } = asked.data;
    const sender = findUser({ db: services.db, appId }, asked.data.sender.toLowerCase());
    if (sender === undefined) return refuse(`The app ${appId} has no user ${asked.data.sender} to write as.`);
    const parties = { group: findGroup, user: findUser } as const;
    const found = parties[receiverType]({ db: services.db, appId }, asked.data.receiver.toLowerCase());
    if (found === undefined)
      return refuse(`The app ${appId} has no ${receiverType} ${asked.data.receiver} to write to.`);
    const wouldAsk = new Set<string>();
    const now = nowSeconds(services);
    const judgement = await evaluateRules({
      rules: listRules({ db: services.db, appId }),
      lists: new Map(listKeywordLists({ db: services.db, appId }).map((list) => [list.id, list])),
      message: {
        id: "0",
        conversationId: "",
        sender: sender.uid,
        receiverType,
        receiver: asked.data.receiver,
        category: "message",
        type: "text",
        data: { text },
        sentAt: now,
        updatedAt: now,
      },
      parties: { sender, receiver: "guid" in found ? { group: found } : { user: found } },
      nowSeconds: now,
      ask: async ({ listId }) => {
        wouldAsk.add(listId);
        return { kind: "answered", isMatchingCondition: false, confidence: 0 };
      },
    });
    const { blocking, isJudged, entries } = judgement;
    const answer: TriedText = {
      outcome:
        blocking === undefined
          ? isJudged
            ? "approved"
            : "not judged"
          : blocking.rule.action.includes("dropMessage")
            ? "dropped"
            : "blocked",
      rule: blocking && {
        id: blocking.rule.id,
        name: blocking.rule.name,
        message: blocking.condition.message.join(" "),
      },
      passedOver: entries.flatMap((entry) => ("filter" in entry ? [nameOf(entry.rule)] : [])),
      wouldAsk: [...wouldAsk],
    };
    return context.json(answer);
  });
}

function nameOf(rule: unknown): string {
  return typeof rule === "object" && rule !== null && "name" in rule ? String(rule.name) : "";
}
