import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { FieldType } from "../../../api/explorer.ts";
import { messageOf } from "../ask.ts";
import { JsonEditor } from "./json-editor.tsx";
import { JsonForm } from "./json-form.tsx";
import { roundedIn, write } from "./values.ts";

/** The parsed text; while it is not JSON, the last valid value and what is wrong. */
export function useJson(text: string): { readonly value: unknown; readonly mistake: string | undefined } {
  const last = useRef<unknown>(undefined);
  return useMemo(() => {
    try {
      last.current = JSON.parse(text);
      return { value: last.current, mistake: undefined };
    } catch (error) {
      return { value: last.current, mistake: messageOf(error) };
    }
  }, [text]);
}

/** Edits the same text as a form and as JSON. */
export function JsonInput({
  label,
  text,
  base,
  type,
  onText,
  children,
}: {
  readonly label: string;
  readonly text: string;
  readonly base?: unknown;
  readonly type?: FieldType;
  readonly onText: (text: string) => void;
  readonly children?: ComponentChildren;
}) {
  const [isForm, setForm] = useState(true);
  const { value, mistake } = useJson(text);
  const rounded = useMemo(() => roundedIn(text), [text]);
  return (
    <>
      <div class="row is-apart">
        <div class="row pills">
          {[true, false].map((asForm) => (
            <button
              key={String(asForm)}
              type="button"
              aria-pressed={isForm === asForm}
              onClick={() => setForm(asForm)}
            >
              {asForm ? "Form" : "JSON"}
            </button>
          ))}
        </div>
        <div class="buttons">{children}</div>
      </div>
      {mistake && (
        <p class="trouble" role="alert">
          {mistake}
          {isForm && ". The form shows the last valid JSON."}
        </p>
      )}
      {rounded && (
        <p class="trouble" role="status">
          {rounded.slice(0, 40)} keeps its digits only as JSON; changed elsewhere, it becomes{" "}
          {Number(rounded)}. Store ids as texts.
        </p>
      )}
      {isForm ? (
        <JsonForm value={value} base={base} type={type} onChange={(changed) => onText(write(changed))} />
      ) : (
        <JsonEditor
          label={label}
          text={text}
          original={base === undefined ? undefined : write(base)}
          onText={onText}
        />
      )}
    </>
  );
}
