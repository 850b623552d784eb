import { useMemo, useRef } from "preact/hooks";
import type { MessageMark } from "../../../api/journeys.ts";
import { useResource } from "../../parts/use-resource.ts";
import type { Message } from "./chat-types.ts";

/** The outcomes of messages, by id. An unchanged one stays the same object. */
export function useMarks(appId: string, messages: readonly Message[]): ReadonlyMap<string, MessageMark> {
  const known = useRef(new Map<string, MessageMark>());
  const path = useMemo(() => {
    const ids = messages.map(({ id }) => id).join(",");
    return ids === "" ? undefined : `/api/journeys/marks?${new URLSearchParams({ app: appId, ids })}`;
  }, [messages]);
  const { value } = useResource<Readonly<Record<string, MessageMark>>>(path, ["journeys"]);
  useMemo(() => {
    for (const [id, mark] of Object.entries(value ?? {})) {
      const before = known.current.get(id);
      if (before?.why !== mark.why || before.title !== mark.title || before.id !== mark.id)
        known.current.set(id, mark);
    }
  }, [value]);
  return known.current;
}
