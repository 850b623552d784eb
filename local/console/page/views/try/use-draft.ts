import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TryDraft, TryEntry, TryExamination } from "../../../api/try.ts";
import { ask, messageOf } from "../../parts/ask.ts";
import { type Mistake, mistakeIn } from "./json-edit.ts";
import { unpack } from "./share.ts";

export interface Draft {
  readonly text: string;
  /** The parsed text; while it is not JSON, the last valid value. */
  readonly value: unknown;
  readonly mistake: Mistake | undefined;
  readonly base: unknown;
  readonly error: string | undefined;
  readonly isLoading: boolean;
  setText(text: string): void;
  setValue(value: unknown): void;
  startOver(): Promise<void>;
}

export function useDraft(
  entry: TryEntry,
  sample: string,
  appId: string,
  { packed, loaded }: { readonly packed: string | undefined; readonly loaded: string | undefined },
): Draft {
  const [state, setState] = useState<State>({ text: "", base: undefined, isLoading: true });
  const last = useRef<unknown>(undefined);
  const mistake = useMemo(() => (state.isLoading ? undefined : mistakeIn(state.text)), [state]);
  const value = useMemo(() => {
    if (mistake === undefined && !state.isLoading) last.current = JSON.parse(state.text);
    return last.current;
  }, [state, mistake]);

  const load = async (isCurrent: () => boolean, text?: string) => {
    setState((before) => ({ ...before, isLoading: true, error: undefined }));
    try {
      const path = `/api/try/samples/${encodeURIComponent(entry.id)}/${encodeURIComponent(sample)}?app=${encodeURIComponent(appId)}`;
      const { body } = await ask<TryDraft>(path);
      if (isCurrent()) setState({ text: text ?? write(body), base: body, isLoading: false });
    } catch (error) {
      if (isCurrent())
        setState({ text: text ?? "", base: undefined, isLoading: false, error: messageOf(error) });
    }
  };
  useEffect(() => {
    let isHere = true;
    const given = loaded === undefined ? unpackOr(packed) : Promise.resolve(loaded);
    void given.then((text) => {
      if (isHere) void load(() => isHere, text);
    });
    return () => {
      isHere = false;
    };
  }, [entry.id, sample, appId, packed, loaded]);

  const setText = (text: string) => setState((before) => ({ ...before, text }));
  return {
    ...state,
    error: state.error,
    value,
    mistake,
    setText,
    setValue: (inner) => setText(write(inner)),
    startOver: () => load(() => true),
  };
}

interface State {
  readonly text: string;
  readonly base: unknown;
  readonly isLoading: boolean;
  readonly error?: string | undefined;
}

export function write(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

async function unpackOr(packed: string | undefined): Promise<string | undefined> {
  return packed === undefined ? undefined : unpack(packed).catch(() => undefined);
}

const typingMs = 250;

/** A new `turn` repeats it. */
export function useExamination(
  entry: string,
  appId: string,
  text: string,
  turn: number,
): TryExamination | undefined {
  const [examination, setExamination] = useState<TryExamination>();
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      ask<TryExamination>("/api/try/examine", {
        method: "POST",
        body: { entry, appId, text },
        signal: abort.signal,
      }).then(setExamination, () => {
        if (!abort.signal.aborted) setExamination(undefined);
      });
    }, typingMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [entry, appId, text, turn]);
  return examination;
}
