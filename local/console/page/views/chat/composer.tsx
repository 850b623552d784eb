import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { chatPath } from "./chat-api.ts";
import type { Message, Seat } from "./chat-types.ts";
import { MentionList, mentionAt } from "./mention-list.tsx";
import { sayMessage, senderName } from "./message-words.ts";
import { Trouble } from "./trouble.tsx";

/** Drafts are kept when another conversation is opened. */
const drafts = new Map<string, string>();

export interface Reference {
  readonly kind: "quote" | "edit";
  readonly message: Message;
}

/** Enter sends, Shift+Enter adds a line; files come by button, paste or drop. */
export function Composer({
  seat,
  draftKey,
  label,
  reference,
  onReferenceDone,
  onSend,
}: {
  seat: Seat;
  draftKey: string;
  label: string;
  reference: Reference | undefined;
  onReferenceDone: () => void;
  onSend: (written: { text: string; files: readonly File[]; quoted: Message | undefined }) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => drafts.get(draftKey) ?? "");
  const [caret, setCaret] = useState(0);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const edited = reference?.kind === "edit" ? reference.message : undefined;

  useEffect(() => {
    if (edited === undefined) drafts.set(draftKey, text);
  }, [text, edited]);
  useEffect(() => {
    if (reference === undefined) return;
    if (edited !== undefined) setText(typeof edited.data.text === "string" ? edited.data.text : "");
    setError(undefined);
    area.current?.focus();
  }, [reference]);
  // Focuses the field after a selection, but not after a link, and not on a phone, where the keyboard would
  // open.
  useEffect(() => {
    const hasChosen = document.activeElement !== document.body;
    if (hasChosen && matchMedia("(pointer: fine)").matches) area.current?.focus();
  }, []);
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [text]);

  const leaveReference = () => {
    if (edited !== undefined) setText(drafts.get(draftKey) ?? "");
    setError(undefined);
    onReferenceDone();
    area.current?.focus();
  };

  const submit = async () => {
    if (isBusy || (text.trim() === "" && files.length === 0)) return;
    if (edited === undefined) {
      onSend({ text, files, quoted: reference?.message });
      setText("");
      setFiles([]);
      onReferenceDone();
      return;
    }
    setBusy(true);
    try {
      await ask(chatPath(seat.appId, ["messages", edited.id]), {
        method: "PUT",
        body: { data: { text } },
        onBehalfOf: seat.uid,
      });
      leaveReference();
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  };

  const attach = (list: FileList | null | undefined) => setFiles([...files, ...(list ?? [])]);
  const firstMention = useRef<string | undefined>(undefined);
  const mention = mentionAt(text, caret);
  const complete = (uid: string) => {
    if (mention === undefined) return;
    const before = `${text.slice(0, mention.from)}<@uid:${uid}> `;
    setText(before + text.slice(caret));
    setCaret(before.length);
    area.current?.focus();
  };

  return (
    <form
      class="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        attach(event.dataTransfer?.files);
      }}
    >
      <Trouble error={error} />
      {reference !== undefined && (
        <p class="chat-reference">
          <span>
            {reference.kind === "edit" ? "Editing" : `Quoting ${senderName(reference.message)}`}:{" "}
            {sayMessage(reference.message).slice(0, 120)}
          </span>
          <button type="button" class="quiet" aria-label="Discard" onClick={leaveReference}>
            ×
          </button>
        </p>
      )}
      {files.length > 0 && (
        <ul class="chat-attached" aria-label="Files to send">
          {files.map((file) => (
            <li key={`${file.name} ${file.lastModified} ${file.size}`}>
              {file.name}
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${file.name}`}
                onClick={() => setFiles(files.filter((other) => other !== file))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {mention !== undefined && (
        <MentionList seat={seat} searched={mention.searched} first={firstMention} onChoose={complete} />
      )}
      <div class="chat-write">
        {edited === undefined && (
          <label class="chat-attach">
            <input
              type="file"
              multiple
              class="visually-hidden"
              onChange={({ currentTarget }) => {
                attach(currentTarget.files);
                currentTarget.value = "";
              }}
            />
            <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
              <path
                d="M15 8.5 9.2 14.3a3 3 0 0 1-4.3-4.3l6-6a2 2 0 0 1 2.9 2.9l-6 6a1 1 0 0 1-1.5-1.4l5.3-5.3"
                fill="none"
                stroke="currentColor"
                stroke-width="1.5"
                stroke-linecap="round"
              />
            </svg>
            <span class="visually-hidden">Attach files</span>
          </label>
        )}
        <textarea
          ref={area}
          rows={1}
          dir="auto"
          aria-label={label}
          placeholder={label}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setCaret(currentTarget.selectionStart);
          }}
          onPaste={(event) => {
            if ((event.clipboardData?.files.length ?? 0) > 0) attach(event.clipboardData?.files);
          }}
          onKeyDown={(event) => {
            if (event.key === "Tab" && !event.shiftKey && mention !== undefined && firstMention.current) {
              event.preventDefault();
              complete(firstMention.current);
            }
            if (event.key === "Escape" && reference !== undefined) leaveReference();
            // In many scripts, Enter also ends the composition of a character.
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void submit();
          }}
        />
        <button type="submit" class="main" disabled={isBusy || (text.trim() === "" && files.length === 0)}>
          {edited === undefined ? "Send" : "Save"}
        </button>
      </div>
    </form>
  );
}
