import { useState } from "preact/hooks";
import type { TryCatalogue, TryEntry } from "../../../api/try.ts";
import type { WorldFacts } from "../../../api/world.ts";
import { Empty } from "../../parts/empty.tsx";
import { EntryTree } from "../../parts/entry-tree.tsx";
import { go, type Route, toHash, useRoute } from "../../parts/route.ts";
import { useFacts } from "../../parts/use-facts.ts";
import { useResource } from "../../parts/use-resource.ts";
import { useNow } from "../../parts/world-clock.tsx";
import { Editor } from "./editor.tsx";
import { addToHistory, clearHistory, readHistory, type Tried } from "./history.ts";
import { HistoryList } from "./history-list.tsx";
import { SendPanel } from "./send-panel.tsx";
import { useDraft } from "./use-draft.ts";
import "./try.css";

export function TryView() {
  const route = useRoute();
  const facts = useFacts();
  const { value: catalogue, error } = useResource<TryCatalogue>("/api/try/entries", ["reload"]);
  if (error !== undefined) return <p class="trouble">{error}</p>;
  if (catalogue === undefined || facts === undefined) return <Empty title="Loading …" />;
  const [id] = route.rest;
  const entry = catalogue.families.flatMap(({ entries }) => entries).find((one) => one.id === id);
  const wanted = route.query.get("app") ?? undefined;
  return (
    <div class={entry === undefined ? "split" : "split has-detail"}>
      <EntryTree
        label="Events and questions"
        find="Find an event or a question"
        placeholder="reaction, left, moderation …"
        families={catalogue.families.map(({ title, entries }) => ({
          title,
          entries: entries.map(({ id: own, trigger, says }) => ({
            ...{ id: own, name: trigger, says },
            badge: own === trigger ? undefined : own.slice(trigger.length + 1),
          })),
        }))}
        chosen={id}
        isOpen={true}
        hrefOf={(own) => toHash("try", [own], { app: wanted })}
      />
      {entry === undefined ? (
        <div class="detail">
          <Empty title={id ? `“${id}” does not exist` : "Choose an event or a question"}>
            Any event of the platform, or one of its two questions, filled with a sample. You can change every
            field.
          </Empty>
        </div>
      ) : (
        <Chosen key={entry.id} entry={entry} route={route} facts={facts} />
      )}
    </div>
  );
}

function Chosen({ entry, route, facts }: { entry: TryEntry; route: Route; facts: WorldFacts }) {
  const [tried, setTried] = useState(readHistory);
  const now = useNow();
  const appId = route.query.get("app") ?? facts.apps[0]?.appId ?? "";
  const sample =
    entry.samples.find(({ name }) => name === route.query.get("sample"))?.name ??
    entry.samples[0]?.name ??
    "";
  const again = tried.find((one) => one.id === route.query.get("again"));
  const draft = useDraft(entry, sample, appId, {
    packed: route.query.get("body") ?? undefined,
    loaded: again?.text,
  });
  const choose = (choice: { readonly app?: string; readonly sample?: string }) =>
    go(toHash("try", [entry.id], { app: appId, sample, ...choice }));
  const load = (one: Tried) =>
    go(toHash("try", [one.entry], { app: one.appId, sample: one.sample, again: one.id }));
  const url = `${facts.addresses.functions}/${pathOf(entry)}/${encodeURIComponent(appId)}`;
  return (
    <div class="detail try-chosen">
      <a class="back" href={toHash("try", [], { app: route.query.get("app") ?? undefined })}>
        ‹ All events
      </a>
      {draft.error !== undefined && <p class="trouble">{draft.error}</p>}
      <Editor {...{ entry, sample, appId, url, draft }} apps={facts.apps} onChoose={choose} />
      <div class="stack try-side">
        <SendPanel
          {...{ entry, sample, appId, draft }}
          onTried={(one) =>
            setTried(addToHistory({ ...one, id: `${Date.now()}`, atMs: now(), appId, entry: entry.id }))
          }
        />
        <HistoryList tried={tried} onLoad={load} onClear={() => setTried(clearHistory())} />
      </div>
    </div>
  );
}

function pathOf({ id }: TryEntry): string {
  if (id === "custom_moderation") return "moderation";
  return id === "before_message" ? "before-message" : "webhooks";
}
