import { useId, useState } from "preact/hooks";
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
  onChange,
}: {
  readonly value: unknown;
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

function AddField({ value, path, edit }: { value: Group; path: Path; edit: Edit }) {
  const [isAdding, setAdding] = useState(false);
  const before = valueAt(edit.base, path);
  const gone = isGroup(before) ? Object.keys(before).filter((one) => !Object.hasOwn(value, one)) : [];
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
      {isAdding ? (
        <NewField value={value} path={path} edit={edit} onDone={() => setAdding(false)} />
      ) : (
        <button
          type="button"
          class="quiet try-add"
          aria-label={`Add a field to ${named(path)}`}
          onClick={() => setAdding(true)}
        >
          + field
        </button>
      )}
    </div>
  );
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
      class="try-new"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTaken) return;
        edit.set([...path, name], "");
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
