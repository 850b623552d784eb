import { useEffect, useState } from "preact/hooks";
import type { CallDetail } from "../../../api/calls.ts";
import type { ExplorerOperation } from "../../../api/explorer.ts";
import type { WorldFacts } from "../../../api/world.ts";
import { ask } from "../../parts/ask.ts";
import { keepDraft, readDraft } from "../../parts/drafts.ts";
import { sampleFields } from "../../parts/json/field-types.ts";
import { readable, write } from "../../parts/json/values.ts";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { notifyFailed } from "../../parts/toasts.tsx";
import { type Given, keyOfName, pathNames, readAddress } from "./request.ts";

export interface Form {
  readonly given: Given;
  /** The values of the address, which are kept for the next operation. */
  readonly kept: Readonly<Record<string, string>>;
  /** Whether the body is still the one to begin with. */
  readonly isNew: boolean;
  keep(changes: Readonly<Record<string, string>>): void;
  setQuery(query: Readonly<Record<string, unknown>>): void;
  /** `isTyped`: kept as a draft until it is sent. */
  setBody(text: string, isTyped?: boolean): void;
  forgetDraft(): void;
}

/** The input of an operation: the path and the caller in the address, query and body in the page. */
export function useGiven(operation: ExplorerOperation, apps: WorldFacts["apps"]): Form {
  const kept = Object.fromEntries(useRoute().query);
  const appId = kept.app ?? apps[0]?.appId ?? "";
  const path = pathNames(operation.path).map((name) =>
    name === "appId" ? appId : (kept[keyOfName(operation.path, name)] ?? ""),
  );
  const [draftKey] = useState(`api ${operation.id} ${path.join(" ")}`);
  const [query, setQuery] = useState<Readonly<Record<string, unknown>>>(() => sampleFields(operation.query));
  const sample = write(sampleFields(operation.body));
  const [body, setBody] = useState(() => readDraft(draftKey) ?? sample);
  const given: Given = {
    ...{ appId, path, query, body },
    region: apps.find((app) => app.appId === appId)?.region ?? "us",
    onBehalfOf: operation.onBehalfOf === "unsupported" ? "" : (kept.as ?? ""),
    scope: kept.key ?? "",
    engine: kept.engine ?? "",
  };
  const keep = (changes: Readonly<Record<string, string>>) =>
    go(toHash("api", [operation.id], { ...kept, ...changes }), { replace: true });
  useEffect(() => {
    if (kept.call !== undefined) ask<CallDetail>(`/api/calls/${kept.call}`).then(repeat, notifyFailed);
  }, []);
  const repeat = ({ path: address, sent }: CallDetail) => {
    const read = readAddress(operation, address);
    setQuery(read.query);
    const value = sent.kind === "text" ? readable(sent.text) : sample;
    setBody(typeof value === "string" ? value : write(value));
    const keys = pathNames(operation.path).map((name) =>
      name === "appId" ? "app" : keyOfName(operation.path, name),
    );
    keep({ ...Object.fromEntries(keys.map((key, place) => [key, read.path[place] ?? ""])), call: "" });
  };
  return {
    ...{ given, kept, keep, setQuery, isNew: body === sample },
    setBody(text, isTyped = false) {
      setBody(text);
      if (isTyped) keepDraft(draftKey, text);
    },
    forgetDraft: () => keepDraft(draftKey, undefined),
  };
}
