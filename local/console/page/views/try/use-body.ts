import { useEffect, useState } from "preact/hooks";
import type { StackFacts } from "../../../api/stack.ts";
import type { TryDraft, TryEntry } from "../../../api/try.ts";
import { notifyFailed } from "../../parts/button.tsx";
import { keepDraft, readDraft } from "../../parts/drafts.ts";
import { write } from "../../parts/json/field-types.ts";
import { useResource } from "../../parts/use-resource.ts";
import { unpack } from "./share.ts";

export interface Tried {
  readonly entry: TryEntry;
  readonly appId: string;
  readonly sample: string;
  readonly facts: StackFacts;
  readonly text: string;
  readonly base: unknown;
  setText(text: string): void;
  startOver(): void;
  forgetDraft(): void;
}

/** Returns the address's packed body, else the draft, else the sample. */
export function useBody(path: string, packed: string | null) {
  const { value, error, reload } = useResource<TryDraft>(path, []);
  const id = `${path} ${packed}`;
  const [given, setGiven] = useState<{ readonly id: string; readonly text: string }>();
  useEffect(() => {
    if (packed !== null) unpack(packed).then((text) => setGiven({ id, text }), notifyFailed);
  }, [id]);
  const base = value?.body;
  const kept = readDraft(path) ?? (value && write(base));
  return {
    base,
    error,
    text: given?.id === id ? given.text : packed === null ? kept : undefined,
    setText(text: string) {
      setGiven({ id, text });
      keepDraft(path, text);
    },
    startOver() {
      setGiven(undefined);
      keepDraft(path);
      reload();
    },
    forgetDraft: () => keepDraft(path),
  };
}
