import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface EditorOptions {
  readonly label: string;
  readonly text: string;
  readonly original?: string | undefined;
  readonly onText: (text: string) => void;
}

export interface CodeEditor {
  /** Ignores its own reported texts, which return late. */
  setText(text: string): void;
  close(): void;
}

/** Opens an editor in a shadow tree, whose styles the content security policy allows. Tab leaves it. */
export function openEditor(host: HTMLElement, { label, text, original, onText }: EditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  let reported: string[] = [];
  let given: string | undefined;
  const view = new EditorView({
    root,
    parent: root,
    doc: text,
    extensions: [
      json(),
      linter(jsonParseLinter()),
      syntaxHighlighting(colours),
      bracketMatching(),
      foldGutter(),
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return;
        const changed = state.doc.toString();
        if (changed === given) return;
        reported.push(changed);
        onText(changed);
      }),
      theme,
      original === undefined ? [] : unifiedMergeView({ original, mergeControls: false, gutter: false }),
    ],
  });
  return {
    setText(next) {
      const place = reported.lastIndexOf(next);
      reported = reported.slice(place + 1);
      const { doc } = view.state;
      if (place >= 0 || next === doc.toString()) return;
      given = next;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
      given = undefined;
    },
    close: () => view.destroy(),
  };
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--waiting)" },
]);

const theme = EditorView.theme({
  "&": { maxHeight: "60dvh", backgroundColor: "var(--surface)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: 1.5 },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { border: 0, backgroundColor: "var(--sunk)", color: "var(--text-soft)" },
  ".cm-selectionBackground": { backgroundColor: "var(--accent-soft) !important" },
  ".cm-tooltip": { border: "1px solid var(--line)", backgroundColor: "var(--raised)" },
  ".cm-changedLine": { backgroundColor: "var(--good-soft) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--bad-soft) !important" },
  ".cm-changedText, .cm-deletedText": { background: "none !important" },
});
