import type { StackFacts } from "../../../api/stack.ts";
import type { TryCatalogue, TryEntry } from "../../../api/try.ts";
import { EntryTree } from "../../parts/entry-tree.tsx";
import { useFacts } from "../../parts/facts.tsx";
import { type Route, toHash, useRoute } from "../../parts/route.ts";
import { Empty, Trouble } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Editor } from "./editor.tsx";
import { SendPanel } from "./send-panel.tsx";
import { useBody } from "./use-body.ts";
import "./try.css";

export function TryView() {
  const route = useRoute();
  const facts = useFacts();
  const { value: catalogue, error } = useResource<TryCatalogue>("/api/try/entries", ["reload"]);
  if (catalogue === undefined || facts === undefined)
    return error === undefined ? <Empty title="Loading …" /> : <Trouble error={error} />;
  const [id] = route.rest;
  const entry = catalogue.families.flatMap(({ entries }) => entries).find((one) => one.id === id);
  const app = route.query.get("app") ?? undefined;
  return (
    <div class={entry === undefined ? "split" : "split has-detail"}>
      <EntryTree
        label="Events and questions"
        find="Find an event or a question"
        placeholder="reaction, left, moderation …"
        families={catalogue.families.map(({ title, entries }) => ({
          title,
          entries: entries.map(({ id: own, trigger, description }) => ({
            id: own,
            name: trigger,
            description,
            badge: own === trigger ? undefined : own.slice(trigger.length + 1),
          })),
        }))}
        chosen={id}
        isOpen={true}
        hrefOf={(own) => toHash("try", [own], { app })}
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

interface ChosenProps {
  readonly entry: TryEntry;
  readonly route: Route;
  readonly facts: StackFacts;
}

function Chosen({ entry, route: { query }, facts }: ChosenProps) {
  const appId = query.get("app") ?? facts.apps[0]?.appId ?? "";
  const names = entry.samples.map(({ name }) => name);
  const sample = names.find((name) => name === query.get("sample")) ?? names[0] ?? "";
  const path = `/api/try/samples/${encodeURIComponent(entry.id)}/${encodeURIComponent(sample)}?app=${encodeURIComponent(appId)}`;
  const { error, ...draft } = useBody(path, query.get("body"));
  const { text } = draft;
  const tried = text !== undefined && { ...draft, entry, appId, sample, facts, text };
  return (
    <div class="detail try-chosen">
      <a class="back" href={toHash("try", [], { app: query.get("app") ?? undefined })}>
        ‹ All events
      </a>
      <Trouble error={error} />
      {tried && (
        <>
          <Editor {...tried} />
          <SendPanel {...tried} />
        </>
      )}
    </div>
  );
}
