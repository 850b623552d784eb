import { useId, useState } from "preact/hooks";
import { innerType, isFree, isRequired, namesOf, sampleOf } from "./field-types.ts";
import { KindSelect, Leaf, type Slot } from "./json-leaf.tsx";
import { countValues, type Group, isGroup, withField } from "./values.ts";

/** A larger form would be slow and unreadable. */
const mostValues = 800;

export function JsonForm(slot: Omit<Slot, "label">) {
  if (countValues(slot.value) > mostValues)
    return <p class="soft">This has more than {mostValues} values. Edit it as JSON.</p>;
  return (
    <div class="try-form">
      <Content label="" {...slot} />
    </div>
  );
}

function Content(slot: Slot) {
  const { label, value, type, onChange } = slot;
  if (Array.isArray(value)) {
    const last: unknown = value.at(-1);
    const next = innerType(type, "") === undefined && value.length > 0 ? last : sampleOf(innerType(type, ""));
    return (
      <>
        <Fields {...slot} value={value} />
        <button
          type="button"
          class="quiet"
          aria-label={`Add an item to ${label || "the body"}`}
          onClick={() => onChange([...value, structuredClone(next)])}
        >
          + item
        </button>
      </>
    );
  }
  if (!isGroup(value)) return <Leaf {...slot} />;
  return (
    <>
      <Fields {...slot} value={value} />
      <AddField {...slot} value={value} />
    </>
  );
}

function Fields({ label, value, base, type, onChange }: Slot & { value: Group | readonly unknown[] }) {
  const entries = Object.entries(value);
  if (entries.length === 0 && namesOf(type).length === 0)
    return <p class="soft">{Array.isArray(value) ? "An empty list" : "An empty object"}</p>;
  return (
    <ul>
      {entries.map(([name, inner]) => (
        <Field
          key={name}
          name={name}
          isFixed={isRequired(type, name)}
          label={label === "" ? name : `${label}.${name}`}
          value={inner}
          base={fieldOf(base, name)}
          type={innerType(type, name)}
          onChange={(changed) => onChange(withField(value, name, changed))}
        />
      ))}
    </ul>
  );
}

function Field({ name, isFixed, ...slot }: Slot & { name: string; isFixed: boolean }) {
  const { label, value, type, onChange } = slot;
  // Deep levels start closed; a field that was just added starts open.
  const [isOpen, setOpen] = useState(label.split(".").length <= 3 || countValues(value) === 1);
  const id = useId();
  const title = isFixed ? `${name} *` : name;
  const tools = (
    <>
      {isFree(type) && <KindSelect {...slot} />}
      {!isFixed && (
        <button
          type="button"
          class="quiet"
          aria-label={`Remove ${label}`}
          onClick={() => onChange(undefined)}
        >
          ×
        </button>
      )}
    </>
  );
  if (typeof value !== "object" || value === null) {
    return (
      <li class="try-field">
        <span class="code">{title}</span>
        <Leaf {...slot} />
        {tools}
      </li>
    );
  }
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
        <span class="soft">{Object.keys(value).length}</span>
        {tools}
      </div>
      <div id={id} class="try-inner" hidden={!isOpen}>
        {isOpen && <Content {...slot} />}
      </div>
    </li>
  );
}

function AddField({ label, value, base, type, onChange }: Slot & { value: Group }) {
  const [isAdding, setAdding] = useState(false);
  const known = [...namesOf(type), ...Object.keys(isGroup(base) ? base : {})];
  const add = (name: string) =>
    onChange(withField(value, name, fieldOf(base, name) ?? sampleOf(innerType(type, name))));
  return (
    <div class="row pills">
      {known
        .filter((name) => !Object.hasOwn(value, name))
        .map((name) => (
          <button
            key={name}
            type="button"
            class="code"
            aria-label={`Add ${label === "" ? name : `${label}.${name}`}`}
            onClick={() => add(name)}
          >
            + {name}
          </button>
        ))}
      {isAdding && <NewField label={label} value={value} onAdd={add} onDone={() => setAdding(false)} />}
      {!isAdding && isFree(type) && (
        <button
          type="button"
          class="quiet"
          aria-label={`Add a field to ${label || "the body"}`}
          onClick={() => setAdding(true)}
        >
          + field
        </button>
      )}
    </div>
  );
}

interface NewFieldProps {
  readonly label: string;
  readonly value: Group;
  readonly onAdd: (name: string) => void;
  readonly onDone: () => void;
}

function NewField({ label, value, onAdd, onDone }: NewFieldProps) {
  const [name, setName] = useState("");
  const isTaken = Object.hasOwn(value, name);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(name);
        onDone();
      }}
    >
      <input
        type="text"
        class="code"
        aria-label={`Name of the new field of ${label || "the body"}`}
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

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
