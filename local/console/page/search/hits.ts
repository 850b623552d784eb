import type { ExplorerFamily } from "../../api/explorer.ts";
import type { FlowList } from "../../api/flows.ts";
import type { JourneyList } from "../../api/journeys.ts";
import type { SearchAnswer } from "../../api/search.ts";
import { appOptions, useFacts } from "../parts/facts.tsx";
import { type Route, toHash, useRoute } from "../parts/route.ts";
import { formatTime } from "../parts/texts.tsx";
import { useResource, useSettled } from "../parts/use-resource.ts";
import { peerOf } from "../views/chat/chat-api.ts";
import { chatHash, type PaneState, readChatRoute } from "../views/chat/chat-route.ts";
import { findFirstSince } from "../views/chat/conversation-pane.tsx";
import { stackParts } from "../views/stack/stack-view.tsx";
import { views } from "../views.ts";

export interface Hit {
  readonly title: string;
  readonly description: string;
  readonly badge?: string;
  /** An address, or a function that fetches it. */
  readonly to: string | (() => Promise<string>);
}

export interface HitKind {
  readonly title: string;
  readonly hits: readonly Hit[];
}

const typingMs = 80;
const mostHits = 6;

/** Finds hits; keeps the previous text's until there are others. */
export function useHits(typed: string) {
  const route = useRoute();
  const facts = useFacts();
  const apps = facts?.apps ?? [];
  const appId = route.query.get("app") ?? apps[0]?.appId ?? "";
  const families = useResource<readonly ExplorerFamily[]>("/api/explorer", []).value ?? [];
  const text = useSettled(typed.trim(), typingMs);
  const query = (name: string) => new URLSearchParams({ [name]: text });
  const path = (start: string) => (text === "" || appId === "" ? undefined : start);
  const kept = { keepsValue: true };
  const app = encodeURIComponent(appId);
  const chat = useResource<SearchAnswer>(
    path(`/api/platform/apps/${app}/search?${query("text")}&limit=${mostHits}`),
    [],
    kept,
  );
  const journeys = useResource<JourneyList>(path(`/api/journeys?${query("search")}`), [], kept);
  const flows = useResource<FlowList>(path(`/api/flows?${query("search")}`), [], kept);
  const asked = [chat, journeys, flows];
  const kinds: readonly HitKind[] = [
    { title: "In the conversation", hits: appId === "" ? [] : dateHits(typed, appId, route) },
    { title: "Views", hits: viewHits(typed) },
    ...(chat.value === undefined ? [] : chatHits(chat.value, route)),
    { title: "Journeys", hits: journeyHits(journeys.value, text) },
    { title: "Flows", hits: flowHits(flows.value) },
    { title: "Functions", hits: functionHits(facts?.functions ?? [], typed) },
    { title: "Operations", hits: appId === "" ? [] : operationHits(families, typed, appId) },
  ];
  const notes = [
    asked.find(({ error }) => error !== undefined)?.error,
    chat.value?.isWhole === false && "Older messages were not searched.",
    apps.length > 1 && `Chat of ${new Map(appOptions(apps, appId)).get(appId)}.`,
  ];
  return {
    kinds: kinds.filter(({ hits }) => hits.length > 0),
    isLoading: text !== typed.trim() || asked.some(({ isLoading }) => isLoading),
    note: notes.filter(Boolean).join(" "),
  };
}

function dateHits(text: string, appId: string, route: Route): readonly Hit[] {
  const chat = readChatRoute(route);
  const { uid, conversationId } = chat.left;
  const [date] = /^\d{4}-\d\d-\d\d$/.exec(text.trim()) ?? [];
  if (route.view !== "chat" || uid === undefined || conversationId === undefined || date === undefined)
    return [];
  const day = new Date(`${date}T00:00`);
  const since = day.getTime();
  // 30 February would be 2 March.
  if (day.getDate() !== Number(date.slice(-2))) return [];
  const to = async () => {
    const message = await findFirstSince({ appId, uid }, conversationId, since);
    return chatHash({ ...chat, left: { uid, conversationId, message } });
  };
  return [{ title: `Go to ${formatTime(since, "day")}`, description: conversationId, to }];
}

const places = [
  ...views.map(([name, title]) => ({ title, description: "View", to: toHash(name) })),
  ...stackParts.map(([name, title]) => ({ title, description: "Local stack", to: toHash("stack", [name]) })),
];

function viewHits(text: string): readonly Hit[] {
  return text.trim() === "" ? places.slice(0, views.length) : places.filter(({ title }) => isIn(text, title));
}

function functionHits(names: readonly string[], text: string): readonly Hit[] {
  return names
    .filter((name) => isIn(text, name))
    .map((name) => ({ title: name, description: "Its log", to: toHash("log", [], { function: name }) }));
}

function operationHits(families: readonly ExplorerFamily[], text: string, app: string): readonly Hit[] {
  return families
    .flatMap(({ api, operations }) => operations.map((operation) => ({ ...operation, api })))
    .filter(({ id, method, verb, path, api }) => isIn(text, `${id} ${method} ${verb} ${path} ${api}`))
    .slice(0, mostHits)
    .map(({ id, method, verb, path, extension }) => ({
      title: method,
      description: `${verb} ${path}`,
      to: toHash("api", [id], { app }),
      ...(extension !== undefined && { badge: extension }),
    }));
}

function isIn(text: string, own: string) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const searched = `${own} ${own.replaceAll(/[-_.]/g, " ")}`.toLowerCase();
  return words.length > 0 && words.every((word) => searched.includes(word));
}

/** Opens messages as the user of the page if that user sees them. */
function chatHits(found: SearchAnswer, route: Route): readonly HitKind[] {
  const app = route.query.get("app") ?? undefined;
  const uid = route.view === "chat" ? readChatRoute(route).left.uid : undefined;
  const chat = (left: PaneState) => chatHash({ appId: app, left, beside: undefined });
  const messages = found.messages.map((message): Hit => {
    const { id, conversationId, sender, receiver, sentAt, excerpt, reader } = message;
    const isOwn = uid !== undefined && peerOf(uid, conversationId)?.type === "user";
    const as = isOwn ? uid : reader;
    return {
      title: excerpt || `Message ${id}`,
      description: `${sender} → ${receiver}, ${formatTime(sentAt * 1_000, "moment")}, ${id}`,
      to:
        as === undefined
          ? toHash("api", ["get-message-details"], { app, "messages.id": id })
          : chat({ uid: as, conversationId, message: id }),
    };
  });
  const people = found.users.map(
    (user): Hit => ({ title: user.name, description: user.uid, to: chat({ uid: user.uid }) }),
  );
  const groups = found.groups.map(
    ({ guid, name, reader }): Hit => ({
      title: name,
      description: guid,
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

/** Ranks matches in texts first. */
function journeyHits(list: JourneyList | undefined, typed: string): readonly Hit[] {
  const has = (text = "") => Number(isIn(typed, text));
  const rows = (list?.rows ?? []).toSorted((one, other) => has(other.text) - has(one.text));
  return rows.slice(0, mostHits).map(({ id, trigger, title, text, actor, conversation }) => ({
    title: trigger || id,
    badge: title,
    to: toHash("journeys", [id]),
    description: [actor, conversation, text].filter(Boolean).join(" · ") || id,
  }));
}

function flowHits(list: FlowList | undefined): readonly Hit[] {
  return (list?.rows ?? []).slice(0, mostHits).map(({ id, flow, state, about }) => ({
    title: flow,
    badge: state,
    to: toHash("flows", [id]),
    description: `${about} · ${id}`,
  }));
}
