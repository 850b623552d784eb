import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { chatPath } from "./chat-api.ts";
import type { Message, Seat } from "./chat-types.ts";
import { MentionList, mentionAt } from "./mention-list.tsx";
import { sayMessage, senderName } from "./message-words.ts";
import { Trouble } from "./trouble.tsx";

const drafts = new Map<string, string>();

export interface Reference {
  readonly kind: "quote" | "edit";
  readonly message: Message;
}

interface ComposerProps {
  seat: Seat;
  draftKey: string;
  label: string;
  reference: Reference | undefined;
  onReferenceDone: () => void;
  onSend: (written: { text: string; files: readonly File[]; quoted: Message | undefined }) => void;
}

export function Composer({ seat, draftKey, label, reference, onReferenceDone, onSend }: ComposerProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => drafts.get(draftKey) ?? "");
  const [files, setFiles] = useState<readonly File[]>([]);
  const edited = reference?.kind === "edit" ? reference.message : undefined;
  const isEmpty = text.trim() === "" && files.length === 0;
  useDraft(area, { draftKey, text, setText, reference });

  const leaveReference = () => {
    if (edited !== undefined) setText(drafts.get(draftKey) ?? "");
    onReferenceDone();
    area.current?.focus();
  };
  const { save, isBusy, error } = useSaving(seat, reference, leaveReference);
  const submit = async () => {
    if (isBusy || isEmpty) return;
    if (edited !== undefined) return save(edited, text);
    onSend({ text, files, quoted: reference?.message });
    setText("");
    setFiles([]);
    onReferenceDone();
  };

  const attach = (list: FileList | null | undefined) => setFiles([...files, ...(list ?? [])]);
  const { mention, first, complete, setCaret } = useMention(area, text, setText);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Tab" && !event.shiftKey && mention !== undefined && first.current) {
      event.preventDefault();
      complete(first.current);
    }
    if (event.key === "Escape" && reference !== undefined) leaveReference();
    // In many scripts, Enter also ends the composition of a character.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void submit();
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
      {reference !== undefined && <ReferenceLine reference={reference} onLeave={leaveReference} />}
      {files.length > 0 && <AttachedFiles files={files} onChange={setFiles} />}
      {mention !== undefined && (
        <MentionList seat={seat} searched={mention.searched} first={first} onChoose={complete} />
      )}
      <div class="chat-write">
        {edited === undefined && <AttachButton onFiles={attach} />}
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
          onPaste={({ clipboardData }) => {
            if ((clipboardData?.files.length ?? 0) > 0) attach(clipboardData?.files);
          }}
          onKeyDown={onKey}
        />
        <button type="submit" class="main" disabled={isBusy || isEmpty}>
          {edited === undefined ? "Send" : "Save"}
        </button>
      </div>
    </form>
  );
}

function useMention(
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
) {
  const [caret, setCaret] = useState(0);
  const first = useRef<string | undefined>(undefined);
  const mention = mentionAt(text, caret);
  const complete = (uid: string) => {
    if (mention === undefined) return;
    const before = `${text.slice(0, mention.from)}<@uid:${uid}> `;
    setText(before + text.slice(caret));
    setCaret(before.length);
    area.current?.focus();
  };
  return { mention, first, complete, setCaret };
}

function useDraft(
  area: RefObject<HTMLTextAreaElement | null>,
  {
    draftKey,
    text,
    setText,
    reference,
  }: {
    draftKey: string;
    text: string;
    setText: (text: string) => void;
    reference: Reference | undefined;
  },
): void {
  const edited = reference?.kind === "edit" ? reference.message : undefined;
  useEffect(() => {
    if (edited === undefined) drafts.set(draftKey, text);
  }, [text, edited]);
  useEffect(() => {
    if (reference === undefined) return;
    if (edited !== undefined) setText(typeof edited.data.text === "string" ? edited.data.text : "");
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
}

function useSaving(seat: Seat, reference: Reference | undefined, onSaved: () => void) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setError(undefined), [reference]);
  const save = async (edited: Message, text: string) => {
    setBusy(true);
    try {
      await ask(chatPath(seat.appId, ["messages", edited.id]), {
        method: "PUT",
        body: { data: { text } },
        onBehalfOf: seat.uid,
      });
      onSaved();
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  };
  return { save, isBusy, error };
}

function ReferenceLine({ reference, onLeave }: { reference: Reference; onLeave: () => void }) {
  return (
    <p class="chat-quote row is-apart">
      <span>
        {reference.kind === "edit" ? "Editing" : `Quoting ${senderName(reference.message)}`}:{" "}
        {sayMessage(reference.message).slice(0, 120)}
      </span>
      <button type="button" class="quiet" aria-label="Discard" onClick={onLeave}>
        ×
      </button>
    </p>
  );
}

function AttachedFiles({
  files,
  onChange,
}: {
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
}) {
  return (
    <ul class="row" aria-label="Files to send">
      {files.map((file) => (
        <li key={`${file.name} ${file.lastModified} ${file.size}`}>
          {file.name}
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${file.name}`}
            onClick={() => onChange(files.filter((other) => other !== file))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

function AttachButton({ onFiles }: { onFiles: (files: FileList | null) => void }) {
  return (
    <label class="chat-attach">
      <input
        type="file"
        multiple
        class="visually-hidden"
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files);
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
  );
}
