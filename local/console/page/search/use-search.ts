import { useEffect, useState } from "preact/hooks";
import type { ExplorerFamily } from "../../api/explorer.ts";
import type { FlowList } from "../../api/flows.ts";
import type { JourneyList } from "../../api/journeys.ts";
import type { SearchAnswer } from "../../api/search.ts";
import { ask, messageOf } from "../parts/ask.ts";
import { useRoute } from "../parts/route.ts";
import { nameOfApp, useFacts } from "../parts/use-facts.ts";
import { useResource } from "../parts/use-resource.ts";
import { dateHits } from "./date-hits.ts";
import { chatHits, flowHits, type HitKind, journeyHits, mostHits, operationHits, viewHits } from "./hits.ts";

const typingMs = 80;

interface Search {
  /** Without empty ones. */
  readonly kinds: readonly HitKind[];
  readonly isLoading: boolean;
  /** What the hits do not say. */
  readonly note: string;
}

interface Answers {
  readonly chat?: SearchAnswer;
  readonly journeys?: JourneyList;
  readonly flows?: FlowList;
  readonly error?: string | undefined;
}

/** Shows the hits of the text before until there are others. */
export function useSearch(text: string): Search {
  const route = useRoute();
  const apps = useFacts()?.apps ?? [];
  const appId = route.query.get("app") ?? apps[0]?.appId ?? "";
  const families = useResource<readonly ExplorerFamily[]>("/api/explorer", []).value ?? [];
  const { answers, isLoading } = useAnswers(text.trim(), appId);
  const { chat, journeys, flows, error } = answers;
  const kinds = [
    { title: "In the conversation", hits: dateHits(text, appId, route) },
    { title: "Views", hits: viewHits(text) },
    ...(chat === undefined ? [] : chatHits(chat, route)),
    { title: "Journeys", hits: journeys === undefined ? [] : journeyHits(journeys) },
    { title: "Flows", hits: flows === undefined ? [] : flowHits(flows) },
    { title: "Operations", hits: operationHits(families, text, appId) },
  ];
  const app = apps.length > 1 ? apps.find((one) => one.appId === appId) : undefined;
  const notes = [
    error,
    chat?.isWhole === false ? "Older messages were not searched." : undefined,
    app && `Chat of ${nameOfApp(app, apps)}.`,
  ];
  return {
    kinds: kinds.filter(({ hits }) => hits.length > 0),
    isLoading,
    note: notes.filter(Boolean).join(" "),
  };
}

function useAnswers(text: string, appId: string): { answers: Answers; isLoading: boolean } {
  const [answers, setAnswers] = useState<Answers>({});
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    if (text === "" || appId === "") {
      setAnswers({});
      return undefined;
    }
    const aborter = new AbortController();
    const { signal } = aborter;
    const add = (change: Answers) => {
      if (!signal.aborted) setAnswers((before) => ({ ...before, ...change }));
    };
    const askFor = <Value>(
      path: string,
      query: Record<string, string>,
      toChange: (value: Value) => Answers,
    ) =>
      ask<Value>(`${path}?${new URLSearchParams(query)}`, { signal })
        .then((value) => add(toChange(value)))
        .catch((error: unknown) => add({ error: messageOf(error) }))
        .finally(() => {
          if (!signal.aborted) setWaiting((count) => count - 1);
        });
    const limit = String(mostHits);
    const start = () => {
      add({ error: undefined });
      const app = encodeURIComponent(appId);
      void askFor<SearchAnswer>(`/api/platform/apps/${app}/search`, { text, limit }, (chat) => ({ chat }));
      void askFor<JourneyList>("/api/journeys", { search: text, limit }, (journeys) => ({ journeys }));
      void askFor<FlowList>("/api/flows", { search: text }, (flows) => ({ flows }));
    };
    setWaiting(3);
    const timer = setTimeout(start, typingMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
      setWaiting(0);
    };
  }, [text, appId]);
  return { answers, isLoading: waiting > 0 };
}
