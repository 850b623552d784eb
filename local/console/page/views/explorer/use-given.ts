import { type StateUpdater, useEffect, useMemo, useState } from "preact/hooks";
import type { CallDetail } from "../../../api/calls.ts";
import type { ExplorerOperation } from "../../../api/explorer.ts";
import type { WorldFacts } from "../../../api/world.ts";
import { ask } from "../../parts/ask.ts";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { notifyFailed } from "../../parts/toasts.tsx";
import { sampleFields } from "../try/field-types.ts";
import { type Mistake, mistakeIn } from "../try/json-edit.ts";
import { write } from "../try/use-draft.ts";
import { type Given, keyOfName, pathNames, readAddress } from "./request.ts";

export interface Form {
  readonly given: Given;
  /** The values of the address, which are kept for the next operation. */
  readonly kept: Readonly<Record<string, string>>;
  /** The parsed body; undefined if it is not JSON. */
  readonly value: unknown;
  readonly mistake: Mistake | undefined;
  keep(changes: Readonly<Record<string, string>>): void;
  setQuery(query: Readonly<Record<string, unknown>>): void;
  setBody(text: StateUpdater<string>): void;
}

/** The input of an operation: the path and the caller in the address, query and body in the page. */
export function useGiven(operation: ExplorerOperation, apps: WorldFacts["apps"]): Form {
  const kept = Object.fromEntries(useRoute().query);
  const [query, setQuery] = useState<Readonly<Record<string, unknown>>>(() => sampleFields(operation.query));
  const [body, setBody] = useState(() => write(sampleFields(operation.body)));
  const mistake = useMemo(() => mistakeIn(body), [body]);
  const value = useMemo<unknown>(
    () => (mistake === undefined ? JSON.parse(body) : undefined),
    [body, mistake],
  );
  const appId = kept.app ?? apps[0]?.appId ?? "";
  const given: Given = {
    appId,
    region: apps.find((app) => app.appId === appId)?.region ?? "us",
    path: pathNames(operation.path).map((name) =>
      name === "appId" ? appId : (kept[keyOfName(operation.path, name)] ?? ""),
    ),
    query,
    body,
    onBehalfOf: operation.onBehalfOf === "unsupported" ? "" : (kept.as ?? ""),
    scope: kept.key ?? "",
    engine: kept.engine ?? "",
  };
  const keep = (changes: Readonly<Record<string, string>>) =>
    go(toHash("api", [operation.id], { ...kept, ...changes }), { replace: true });
  useEffect(() => {
    if (kept.call !== undefined) ask<CallDetail>(`/api/calls/${kept.call}`).then(repeat, notifyFailed);
  }, []);
  const repeat = ({ path, sent }: CallDetail) => {
    const read = readAddress(operation, path);
    setQuery(read.query);
    if (sent.kind === "text") setBody(indented(sent.text));
    const keys = pathNames(operation.path).map((name) =>
      name === "appId" ? "app" : keyOfName(operation.path, name),
    );
    keep({ ...Object.fromEntries(keys.map((key, place) => [key, read.path[place] ?? ""])), call: "" });
  };
  return { given, kept, value, mistake, keep, setQuery, setBody };
}

function indented(text: string): string {
  return mistakeIn(text) === undefined ? write(JSON.parse(text)) : text;
}
