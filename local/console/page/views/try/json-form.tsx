import { useId, useState } from "preact/hooks";
import type { FieldType } from "../../../api/explorer.ts";
import { isRequiredAt, namesAt, sampleOf, typeAt } from "./field-types.ts";
import { type Edit, named } from "./form-edit.ts";
import {
  dotted,
  type Group,
  isGroup,
  isLargerThan,
  itemLike,
  type Path,
  removeAt,
  setAt,
  valueAt,
} from "./json-edit.ts";
import { KindSelect, Leaf } from "./json-leaf.tsx";

/** A larger form would be slow and unreadable. */
const mostValues = 800;

export function JsonForm({
  value,
  base,
  type,
  onChange,
}: {
  readonly value: unknown;
  /** Fields of it that the value lacks can be restored. */
  readonly base?: unknown;
  /** Fields of it that the value lacks can be added. */
  readonly type?: FieldType;
  readonly onChange: (value: unknown) => void;
}) {
  if (isLargerThan(value, mostValues)) {
    return <p class="soft">This has more than {mostValues} values. Edit it as JSON.</p>;
  }
  const edit: Edit = {
    base,
    type,
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

function Inner({ value, path, edit }: { value: Group | readonly unknown[]; path: Path; edit: Edit }) {
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return (
    <>
      <ul>
        {entries.map(([name, one]) => (
          <Field key={name} name={name} value={one} path={[...path, name]} edit={edit} />
        ))}
      </ul>
      {entries.length === 0 && namesAt(edit.type, path).length === 0 && (
        <p class="soft">{Array.isArray(value) ? "An empty list" : "An empty object"}</p>
      )}
      {Array.isArray(value) ? (
        <button
          type="button"
          class="quiet"
          aria-label={`Add an item to ${named(path)}`}
          onClick={() => edit.set([...path, value.length], nextItem(value, path, edit))}
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
  const isRequired = isRequiredAt(edit.type, path);
  const title = (
    <>
      {name}
      {isRequired && <span> *</span>}
    </>
  );
  const tools = (
    <>
      {isFree(edit, path) && <KindSelect value={value} path={path} edit={edit} />}
      {!isRequired && (
        <button
          type="button"
          class="quiet"
          aria-label={`Remove ${dotted(path)}`}
          title="Remove the field"
          onClick={() => edit.remove(path)}
        >
          ×
        </button>
      )}
    </>
  );
  if (!hasInner) {
    return (
      <li class="try-field">
        <span class="code">{title}</span>
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
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {title}
        </button>
        <span class="soft">{count}</span>
        {tools}
      </div>
      <div id={id} class="try-inner" hidden={!isOpen}>
        {isOpen && <Inner value={value} path={path} edit={edit} />}
      </div>
    </li>
  );
}

function AddField({ value, path, edit }: { value: Group; path: Path; edit: Edit }) {
  const [isAdding, setAdding] = useState(false);
  const before = valueAt(edit.base, path);
  const known =
    edit.type === undefined ? Object.keys(isGroup(before) ? before : {}) : namesAt(edit.type, path);
  const gone = known.filter((one) => !Object.hasOwn(value, one));
  const restored = (one: string) =>
    edit.type === undefined
      ? structuredClone(valueAt(before, [one]))
      : sampleOf(typeAt(edit.type, [...path, one]));
  return (
    <div class="row pills">
      {gone.map((one) => (
        <button
          key={one}
          type="button"
          class="code"
          aria-label={`${edit.type === undefined ? "Restore" : "Add"} ${dotted([...path, one])}`}
          onClick={() => edit.set([...path, one], restored(one))}
        >
          + {one}
        </button>
      ))}
      {isAdding && <NewField value={value} path={path} edit={edit} onDone={() => setAdding(false)} />}
      {!isAdding && (path.length > 0 || isFree(edit, path)) && (
        <button
          type="button"
          class="quiet"
          aria-label={`Add a field to ${named(path)}`}
          onClick={() => setAdding(true)}
        >
          + field
        </button>
      )}
    </div>
  );
}

/** Whether any type and any field is allowed there. */
function isFree({ type }: Edit, path: Path): boolean {
  const own = typeAt(type, path);
  return own === undefined || own === "object" || own === "array" || Object.hasOwn(Object(own), "*");
}

function nextItem(list: readonly unknown[], path: Path, { type }: Edit): unknown {
  const own = typeAt(type, [...path, list.length]);
  return own === undefined ? itemLike(list) : sampleOf(own);
}

function NewField({
  value,
  path,
  edit,
  onDone,
}: {
  value: Group;
  path: Path;
  edit: Edit;
  onDone: () => void;
}) {
  const [name, setName] = useState("");
  const isTaken = Object.hasOwn(value, name);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTaken) return;
        edit.set([...path, name], sampleOf(typeAt(edit.type, [...path, name])));
        onDone();
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
      <button type="button" class="quiet" onClick={onDone}>
        Cancel
      </button>
      {isTaken && <span class="soft">The field already exists.</span>}
    </form>
  );
}
