import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { send } from "../../parts/ask.ts";
import { CloseButton } from "../../parts/button.tsx";
import { keepDraft, readDraft } from "../../parts/drafts.ts";
import { Icon, Trouble } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { type Answer, chatPath, type Message, type Seat, type User } from "./chat-api.ts";
import { describeMessage, senderName } from "./message-words.ts";

export interface Reference {
  readonly kind: "quote" | "edit";
  readonly message: Message;
}

interface ComposerProps {
  readonly seat: Seat;
  readonly draftKey: string;
  readonly label: string;
  /** In an opened thread. */
  readonly isReply: boolean;
  readonly reference: Reference | undefined;
  readonly onReferenceDone: () => void;
  readonly onSend: (written: Written) => void;
}

export interface Written {
  readonly text: string;
  readonly files: readonly File[];
  readonly quoted: Message | undefined;
}

export function Composer(props: ComposerProps) {
  const { label, reference } = props;
  const writing = useComposer(props);
  const { area, text, setText, files, setFiles, error, mention, leaveReference, submit, attach } = writing;
  const isEdit = reference?.kind === "edit";
  return (
    <form
      class="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        attach(event.dataTransfer?.files);
      }}
    >
      <Trouble error={error} />
      {reference && <ReferenceLine reference={reference} onLeave={leaveReference} />}
      {files.length > 0 && <AttachedFiles files={files} onChange={setFiles} />}
      {mention.users.length > 0 && <Mentions {...mention} />}
      <div class="chat-write">
        {!isEdit && <AttachButton onFiles={attach} />}
        <textarea
          ref={area}
          rows={1}
          dir="auto"
          aria-label={label}
          placeholder={label}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onPaste={({ clipboardData }) => attach(clipboardData?.files)}
          onKeyDown={writing.press}
        />
        <button type="submit" class="main" disabled={writing.isEmpty}>
          {isEdit ? "Save" : "Send"}
        </button>
      </div>
    </form>
  );
}

function useComposer({ seat, draftKey, isReply, reference, onReferenceDone, onSend }: ComposerProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const edited = reference?.kind === "edit" ? reference.message : undefined;
  const [text, setText] = useText(area, { draftKey, reference, isReply });
  const [files, setFiles] = useState<readonly File[]>([]);
  const [error, setError] = useState<unknown>();
  const isEmpty = text.trim() === "" && files.length === 0;
  const leaveReference = () => {
    onReferenceDone();
    area.current?.focus();
  };
  const save = async ({ id }: Message) => {
    setError(undefined);
    try {
      await send("PUT", chatPath(seat.appId, ["messages", id]), { data: { text } }, seat.uid);
      leaveReference();
    } catch (failed) {
      setError(failed);
    }
  };
  const submit = () => {
    if (isEmpty) return;
    if (edited !== undefined) {
      void save(edited);
      return;
    }
    onSend({ text, files, quoted: reference?.message });
    setText("");
    setFiles([]);
    onReferenceDone();
  };
  const attach = (list: FileList | null | undefined) => setFiles([...files, ...(list ?? [])]);
  const mention = useMention(seat, area, text, setText);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Tab" && !event.shiftKey && mention.users[0] !== undefined) {
      event.preventDefault();
      mention.complete(mention.users[0]);
    }
    if (event.key === "Escape" && reference !== undefined) leaveReference();
    // In many scripts, Enter also ends the composition of a character.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  };
  return {
    area,
    text,
    setText,
    files,
    setFiles,
    error,
    isEmpty,
    leaveReference,
    submit,
    attach,
    mention,
    press,
  };
}

type Area = RefObject<HTMLTextAreaElement | null>;

function useText(
  area: Area,
  { draftKey, reference, isReply }: Pick<ComposerProps, "draftKey" | "reference" | "isReply">,
) {
  const [text, setText] = useState(() => readDraft(draftKey) ?? "");
  const isEdit = reference?.kind === "edit";
  const wasEdit = useRef(false);
  useEffect(() => {
    if (!isEdit && !wasEdit.current) keepDraft(draftKey, text);
  }, [text, isEdit]);
  useEffect(() => {
    if (isEdit) setText(String(reference.message.data.text ?? ""));
    else if (wasEdit.current) setText(readDraft(draftKey) ?? "");
    wasEdit.current = isEdit;
    if (reference !== undefined) area.current?.focus();
  }, [reference]);
  // Not after a link, and not on a phone, whose keyboard would open.
  useEffect(() => {
    const hasChosen = isReply || document.activeElement !== document.body;
    if (hasChosen && matchMedia("(pointer: fine)").matches) area.current?.focus();
  }, []);
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [text]);
  return [text, setText] as const;
}

interface Mention {
  readonly users: readonly User[];
  readonly complete: (user: User) => void;
}

/** Finds users whose names begin with the text between `@` and caret. */
function useMention(seat: Seat, area: Area, text: string, setText: (text: string) => void): Mention {
  const caret = area.current?.selectionStart ?? 0;
  const [, searched] = /(?:^|\s)@([\p{L}\p{N}_-]{0,40})$/u.exec(text.slice(0, caret)) ?? [];
  const path = chatPath(seat.appId, ["users"], { searchKey: searched, perPage: 6 });
  const { value } = useResource<Answer<readonly User[]>>(searched === undefined ? undefined : path, []);
  return {
    users: value?.data ?? [],
    complete({ uid }) {
      const before = `${text.slice(0, caret - (searched?.length ?? 0) - 1)}<@uid:${uid}> `;
      setText(before + text.slice(caret));
      area.current?.focus();
    },
  };
}

function Mentions({ users, complete }: Mention) {
  return (
    <ul class="row" aria-label="Mention">
      {users.map((user) => (
        <li key={user.uid}>
          <button type="button" class="quiet" onClick={() => complete(user)}>
            <strong>{user.name}</strong> <span class="soft">{user.uid}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ReferenceLine({ reference, onLeave }: { reference: Reference; onLeave: () => void }) {
  const { kind, message } = reference;
  return (
    <p class="chat-quote row is-apart">
      <span>
        {kind === "edit" ? "Editing" : `Quoting ${senderName(message)}`}:{" "}
        {describeMessage(message).slice(0, 120)}
      </span>
      <CloseButton label="Discard" act={onLeave} />
    </p>
  );
}

interface FilesProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

function AttachedFiles({ files, onChange }: FilesProps) {
  return (
    <ul class="row" aria-label="Files to send">
      {files.map((file) => (
        <li key={`${file.name} ${file.lastModified} ${file.size}`}>
          {file.name}
          <CloseButton
            label={`Remove ${file.name}`}
            act={() => onChange(files.filter((other) => other !== file))}
          />
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
      <Icon path="M15 8.5 9.2 14.3a3 3 0 0 1-4.3-4.3l6-6a2 2 0 0 1 2.9 2.9l-6 6a1 1 0 0 1-1.5-1.4l5.3-5.3" />
      <span class="visually-hidden">Attach files</span>
    </label>
  );
}
