import { useEffect, useRef } from "preact/hooks";
import { notifyFailed } from "../toasts.tsx";
import type { CodeEditor, EditorOptions } from "./code-mirror.ts";

/** Loads the editor's code when the first one is opened. */
export function JsonEditor(options: EditorOptions) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  const latest = useRef(options);
  latest.current = options;
  const { text, original } = options;
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
