import { useId, useState } from "preact/hooks";
import {
  convert,
  dotted,
  type Group,
  isGroup,
  isLargerThan,
  itemLike,
  type Kind,
  kindOf,
  kinds,
  type Path,
  removeAt,
  setAt,
  valueAt,
} from "./json-edit.ts";

/** A larger form would be slow and unreadable. */
const mostValues = 800;

/** A form for any JSON value: every field can be changed, added, removed and restored. */
export function JsonForm({
  value,
  base,
  onChange,
}: {
  readonly value: unknown;
  /** The original value; removed fields can be restored from it. */
  readonly base: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  if (isLargerThan(value, mostValues)) {
    return <p class="soft">This has more than {mostValues} values. Edit it as JSON.</p>;
  }
  const edit: Edit = {
    base,
    set: (path, inner) => onChange(setAt(value, path, inner)),
    remove: (path) => onChange(removeAt(value, path)),
  };
  return (
    <div class="try-form">
      {isGroup(value) || Array.isArray(value) ? (
        <Inner value={value} path={[]} edit={edit} />
      ) : (
        <Leaf value={value} path={[]} edit={edit} />
      )}
    </div>
  );
}

interface Edit {
  readonly base: unknown;
  set(path: Path, value: unknown): void;
  remove(path: Path): void;
}

function Inner({ value, path, edit }: { value: Group | readonly unknown[]; path: Path; edit: Edit }) {
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return (
    <>
      <ul class="try-fields">
        {entries.map(([name, one]) => (
          <Field key={name} name={name} value={one} path={[...path, name]} edit={edit} />
        ))}
      </ul>
      {entries.length === 0 && (
        <p class="soft try-none">{Array.isArray(value) ? "An empty list" : "An empty object"}</p>
      )}
      {Array.isArray(value) ? (
        <button
          type="button"
          class="quiet try-add"
          aria-label={`Add an item to ${named(path)}`}
          onClick={() => edit.set([...path, value.length], itemLike(value))}
        >
          + item
        </button>
      ) : (
        <AddField value={isGroup(value) ? value : {}} path={path} edit={edit} />
      )}
    </>
  );
}

function Field({
  name,
  value,
  path,
  edit,
}: {
  name: string | number;
  value: unknown;
  path: Path;
  edit: Edit;
}) {
  const hasInner = isGroup(value) || Array.isArray(value);
  // Deep levels start closed; a field that was just added starts open.
  const [isOpen, setOpen] = useState(path.length <= 3 || !isLargerThan(value, 1));
  const id = useId();
  const tools = (
    <>
      <KindSelect value={value} path={path} edit={edit} />
      <button
        type="button"
        class="quiet try-remove"
        aria-label={`Remove ${dotted(path)}`}
        title="Remove the field"
        onClick={() => edit.remove(path)}
      >
        ×
      </button>
    </>
  );
  if (!hasInner) {
    return (
      <li class="try-field">
        <span class="try-name code">{name}</span>
        <Leaf value={value} path={path} edit={edit} />
        {tools}
      </li>
    );
  }
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  return (
    <li class="try-group">
      <div class="try-field">
        <button
          type="button"
          class="quiet try-open code"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {name}
        </button>
        <span class="soft try-count">{count}</span>
        {tools}
      </div>
      <div id={id} class="try-inner" hidden={!isOpen}>
        {isOpen && <Inner value={value} path={path} edit={edit} />}
      </div>
    </li>
  );
}

function KindSelect({ value, path, edit }: { value: unknown; path: Path; edit: Edit }) {
  return (
    <select
      class="try-kind"
      aria-label={`Type of ${named(path)}`}
      value={kindOf(value)}
      onChange={({ currentTarget }) => {
        const kind = kinds.find((one) => one === currentTarget.value) ?? "text";
        edit.set(path, convert(value, kind));
      }}
    >
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {kind}
        </option>
      ))}
    </select>
  );
}

function Leaf({ value, path, edit }: { value: unknown; path: Path; edit: Edit }) {
  const label = dotted(path) || "value";
  if (typeof value === "string") {
    return (
      <textarea
        class="try-text"
        rows={1}
        aria-label={label}
        placeholder="empty text"
        value={value}
        spellcheck={false}
        onInput={({ currentTarget }) => edit.set(path, currentTarget.value)}
      />
    );
  }
  if (typeof value === "number")
    return (
      <NumberInput key={label} value={value} label={label} onNumber={(number) => edit.set(path, number)} />
    );
  if (typeof value === "boolean") {
    return (
      <select
        aria-label={label}
        value={String(value)}
        onChange={({ currentTarget }) => edit.set(path, currentTarget.value === "true")}
      >
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  return <span class="soft try-null code">null</span>;
}

/** Keeps text that is not a number yet, such as "-". */
function NumberInput({
  value,
  label,
  onNumber,
}: {
  value: number;
  label: string;
  onNumber: (number: number) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const shown = typed !== undefined && Number(typed) === value ? typed : String(value);
  const isWrong = typed !== undefined && (typed.trim() === "" || !Number.isFinite(Number(typed)));
  return (
    <span class="try-number">
      <input
        type="text"
        inputMode="decimal"
        class="number"
        aria-label={label}
        aria-invalid={isWrong}
        value={isWrong ? typed : shown}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          const number = Number(currentTarget.value);
          if (currentTarget.value.trim() !== "" && Number.isFinite(number)) onNumber(number);
        }}
        onBlur={() => setTyped(undefined)}
      />
      <small class="soft">{isWrong ? "not a number" : momentOf(value)}</small>
    </span>
  );
}

/** Shows a number as a time if it could be one of these years. */
function momentOf(value: number): string {
  const ms = value > 1_420_000_000 && value < 2_500_000_000 ? value * 1_000 : value;
  if (ms < 1_420_000_000_000 || ms > 2_500_000_000_000) return "";
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

function AddField({ value, path, edit }: { value: Group; path: Path; edit: Edit }) {
  const [name, setName] = useState<string>();
  const before = valueAt(edit.base, path);
  const gone = isGroup(before) ? Object.keys(before).filter((one) => !Object.hasOwn(value, one)) : [];
  const isTaken = name !== undefined && Object.hasOwn(value, name);
  const add = (kind: Kind) => {
    if (name === undefined || isTaken) return;
    edit.set([...path, name], convert("", kind));
    setName(undefined);
  };
  return (
    <div class="try-adding">
      {gone.map((one) => (
        <button
          key={one}
          type="button"
          class="quiet try-gone code"
          aria-label={`Restore ${dotted([...path, one])}`}
          onClick={() => edit.set([...path, one], structuredClone(valueAt(before, [one])))}
        >
          + {one}
        </button>
      ))}
      {name === undefined ? (
        <button
          type="button"
          class="quiet try-add"
          aria-label={`Add a field to ${named(path)}`}
          onClick={() => setName("")}
        >
          + field
        </button>
      ) : (
        <form
          class="try-new"
          onSubmit={(event) => {
            event.preventDefault();
            add("text");
          }}
        >
          <input
            type="text"
            class="code"
            aria-label={`Name of the new field of ${named(path)}`}
            aria-invalid={isTaken}
            placeholder="name"
            value={name}
            ref={(input) => input?.focus()}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit" disabled={isTaken}>
            Add
          </button>
          <button type="button" class="quiet" onClick={() => setName(undefined)}>
            Cancel
          </button>
          {isTaken && <span class="soft">The field already exists.</span>}
        </form>
      )}
    </div>
  );
}

function named(path: Path): string {
  return dotted(path) || "the body";
}
