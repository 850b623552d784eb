import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { FieldType } from "../../../api/explorer.ts";
import { messageOf } from "../ask.ts";
import { CopyButton, notifyFailed } from "../button.tsx";
import type { CodeEditor, EditorOptions } from "./code-mirror.ts";
import { roundedIn, write } from "./field-types.ts";
import { JsonForm } from "./json-form.tsx";

/** Parses the text; if invalid, returns the last valid value and the mistake. */
function useJson(text: string) {
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
  const { value, mistake } = useJson(text);
  const [isForm, setForm] = useState(mistake === undefined);
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

/** Loads the editor's code when the first one is opened. */
export function JsonEditor(options: EditorOptions) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  const latest = useRef(options);
  latest.current = options;
  const { text } = options;
  // A restart reloads the sample; typed text stays.
  const shown = useRef(options.original);
  if (host.current?.contains(document.activeElement) !== true) shown.current = options.original;
  const original = shown.current;
  useEffect(() => {
    let isOpen = true;
    const open = async () => {
      const { openEditor } = await import("./code-mirror.ts");
      if (!isOpen || host.current === null) return;
      const { label, text: current } = latest.current;
      const onText = (changed: string) => latest.current.onText(changed);
      editor.current = openEditor(host.current, { label, text: current, original, onText });
    };
    open().catch(notifyFailed);
    return () => {
      isOpen = false;
      editor.current?.close();
    };
  }, [original]);
  useEffect(() => editor.current?.setText(text), [text]);
  return <div ref={host} class="json-editor" />;
}

const shownCharacters = 50_000;

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === "string" ? value : (write(value) ?? "undefined");
  const isCut = text.length > shownCharacters;
  return (
    <figure class="json">
      <figcaption class="row is-apart">
        {label}
        <CopyButton text={text} label={`Copy ${label}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          {isCut
            ? `${text.slice(0, shownCharacters)}
… ${text.length - shownCharacters} more characters`
            : text}
        </pre>
      </section>
    </figure>
  );
}
