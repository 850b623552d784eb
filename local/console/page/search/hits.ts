import type { ExplorerFamily } from "../../api/explorer.ts";
import type { FlowList } from "../../api/flows.ts";
import type { JourneyList } from "../../api/journeys.ts";
import type { SearchAnswer } from "../../api/search.ts";
import { type Route, toHash } from "../parts/route.ts";
import { sayTime } from "../parts/time.tsx";
import { type PaneState, readChatRoute } from "../views/chat/chat-route.ts";
import { peerOf } from "../views/chat/conversation-id.ts";
import { worldParts } from "../views/world/parts.ts";
import { views } from "../views.ts";

export interface Hit {
  /** Unique among all hits. */
  readonly key: string;
  readonly title: string;
  readonly says: string;
  readonly badge?: string;
  /** An address, or what asks for it. */
  readonly to: string | (() => Promise<string>);
}

/** Hits of one kind, under their heading. */
export interface HitKind {
  readonly title: string;
  readonly hits: readonly Hit[];
}

export const mostHits = 6;

const places = [
  ...views.map(({ name, title }) => ({ title, says: "View", to: toHash(name) })),
  ...worldParts.flatMap(([, parts]) =>
    parts.map(({ name, title }) => ({ title, says: "World", to: toHash("world", [name]) })),
  ),
];

export function viewHits(text: string): readonly Hit[] {
  if (text.trim() === "") return places.slice(0, views.length).map(withKey);
  return places.filter(({ title }) => isIn(text, title)).map(withKey);
}

function withKey<Place extends { readonly to: string }>(place: Place) {
  return { ...place, key: `view ${place.to}` };
}

export function operationHits(
  families: readonly ExplorerFamily[],
  text: string,
  app: string,
): readonly Hit[] {
  return families
    .flatMap(({ api, operations }) => operations.map((operation) => ({ ...operation, api })))
    .filter(({ id, method, verb, path, api }) => isIn(text, `${id} ${method} ${verb} ${path} ${api}`))
    .slice(0, mostHits)
    .map(({ id, method, verb, path, extension }) => ({
      ...{ key: `operation ${id} ${method}`, title: method, says: `${verb} ${path}` },
      ...(extension !== undefined && { badge: extension }),
      to: toHash("api", [id], { app }),
    }));
}

function isIn(text: string, own: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const searched = `${own} ${own.replaceAll(/[-_.]/g, " ")}`.toLowerCase();
  return words.length > 0 && words.every((word) => searched.includes(word));
}

/** Opens messages as the user of the page if that user sees them. */
export function chatHits(found: SearchAnswer, route: Route): readonly HitKind[] {
  const app = route.query.get("app") ?? undefined;
  const uid = route.view === "chat" ? readChatRoute(route).left.uid : undefined;
  const chat = (state: PaneState) =>
    toHash("chat", [state.uid ?? "", state.conversationId ?? ""].filter(Boolean), {
      app,
      message: state.message,
    });
  const messages = found.messages.map((message): Hit => {
    const { id, conversationId, sender, receiver, sentAt, excerpt, reader } = message;
    const isOwn = uid !== undefined && peerOf(uid, conversationId)?.type === "user";
    const as = isOwn ? uid : reader;
    const date = sayTime(sentAt * 1_000, "moment");
    return {
      ...{
        key: `message ${id}`,
        title: excerpt || `Message ${id}`,
        says: `${sender} → ${receiver}, ${date}, ${id}`,
      },
      to:
        as === undefined
          ? toHash("api", ["get-message-details"], { app, "messages.id": id })
          : chat({ uid: as, conversationId, message: id }),
    };
  });
  const people = found.users.map(
    ({ uid: own, name }): Hit => ({ key: `user ${own}`, title: name, says: own, to: chat({ uid: own }) }),
  );
  const groups = found.groups.map(
    ({ guid, name, reader }): Hit => ({
      ...{ key: `group ${guid}`, title: name, says: guid },
      to:
        reader === undefined
          ? toHash("api", ["get-group"], { app, guid })
          : chat({ uid: reader, conversationId: `group_${guid}` }),
    }),
  );
  return [
    { title: "Messages", hits: messages },
    { title: "People", hits: people },
    { title: "Groups", hits: groups },
  ];
}

export function journeyHits({ rows }: JourneyList): readonly Hit[] {
  return rows.map(({ id, trigger, title, text, actor, conversation }) => ({
    ...{ key: `journey ${id}`, title: trigger || id, badge: title, to: toHash("journeys", [id]) },
    says: [actor, conversation, text].filter(Boolean).join(" · ") || id,
  }));
}

export function flowHits({ rows }: FlowList): readonly Hit[] {
  return rows.slice(0, mostHits).map(({ id, flow, state, about }) => ({
    ...{ key: `flow ${id}`, title: flow, badge: state, to: toHash("flows", [id]) },
    says: `${about} · ${id}`,
  }));
}
