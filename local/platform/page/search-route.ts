import type { Hono } from "hono";
import { ownJson, requireOwnApp } from "../http/own-json.ts";
import { type Services, servicesOf } from "../services/services.ts";
import { type Found, searchApp } from "../store/search.ts";
import type { MessageHit, SearchAnswer } from "./search-answer.ts";

/** `GET /_platform/apps/{appId}/search?text=`: at most so many of each kind, 8 by default. */
export function addSearch(app: Hono, services: Services): void {
  app.get(
    "/_platform/apps/:appId/search",
    ownJson((context): SearchAnswer => {
      const data = servicesOf(services, requireOwnApp(services, context));
      const text = (context.req.query("text") ?? "").slice(0, 200);
      const limit = Math.min(Number(context.req.query("limit")) || 8, 100);
      const { messages, ...found } = services.redactor.value(searchApp(data, text, limit));
      return { ...found, messages: messages.map((one) => toHit(one, text)) };
    }),
  );
}

function toHit({ message, reader }: Found["messages"][number], searched: string): MessageHit {
  const { id, conversationId, sender, receiver, sentAt, category, type, data } = message;
  const excerpt = typeof data.text === "string" ? excerptOf(data.text, searched) : `${category}, ${type}`;
  return { id, conversationId, sender, receiver, sentAt, excerpt, reader };
}

const before = 40;
const longest = 160;

function excerptOf(text: string, searched: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const words = searched.toLowerCase().split(/\s+/).filter(Boolean);
  const places = words.map((word) => line.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - before);
  return `${from > 0 ? "…" : ""}${line.slice(from, from + longest)}${line.length > from + longest ? "…" : ""}`;
}
