import { useState } from "preact/hooks";
import type { FieldType } from "../../../api/explorer.ts";
import { Button, CloseButton } from "../button.tsx";
import { Select } from "../field.tsx";
import {
  choicesOf,
  countValues,
  type Group,
  innerType,
  isGroup,
  isOpenGroup,
  isRequired,
  namesOf,
  sampleOf,
  withField,
} from "./field-types.ts";

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
        <Button
          kind="quiet"
          label={`Add an item to ${label || "the body"}`}
          act={() => {
            onChange([...value, structuredClone(next)]);
            focusSoon(inLabel(label, String(value.length)));
          }}
        >
          + item
        </Button>
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
          label={inLabel(label, name)}
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
  const { label, value, onChange } = slot;
  // Deep levels start closed; a new field starts open.
  const [isOpen] = useState(label.split(".").length <= 3 || countValues(value) <= 2);
  const title = isFixed ? `${name} *` : name;
  const remover = !isFixed && <CloseButton label={`Remove ${label}`} act={() => onChange(undefined)} />;
  if (typeof value !== "object" || value === null) {
    return (
      <li class="try-field">
        <span class="code">{title}</span>
        <Leaf {...slot} />
        {remover}
      </li>
    );
  }
  return (
    <li class="try-group">
      <details open={isOpen}>
        <summary class="code">
          {title} <span class="soft">{Object.keys(value).length}</span>
        </summary>
        <div class="try-inner">
          <Content {...slot} />
        </div>
      </details>
      {remover}
    </li>
  );
}

function AddField({ label, value, base, type, onChange }: Slot & { value: Group }) {
  const known = [...namesOf(type), ...Object.keys(Object(base))];
  return (
    <div class="row pills">
      {known
        .filter((name) => !Object.hasOwn(value, name))
        .map((name) => (
          <Button
            key={name}
            label={`Add ${inLabel(label, name)}`}
            act={() => {
              onChange(withField(value, name, fieldOf(base, name) ?? sampleOf(innerType(type, name))));
              focusSoon(inLabel(label, name));
            }}
          >
            + {name}
          </Button>
        ))}
      {isOpenGroup(type, base) && <AddNamed label={label} value={value} type={type} onChange={onChange} />}
    </div>
  );
}

/** A field of any name. */
function AddNamed({ label, value, type, onChange }: Slot & { value: Group }) {
  const [name, setName] = useState("");
  const owner = label || "the body";
  const add = () => {
    if (name === "" || Object.hasOwn(value, name)) return;
    onChange(withField(value, name, sampleOf(innerType(type, name))));
    setName("");
    focusSoon(inLabel(label, name));
  };
  return (
    <>
      <input
        type="text"
        class="try-name"
        aria-label={nameLabel(owner)}
        placeholder="name"
        value={name}
        spellcheck={false}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={({ key }) => key === "Enter" && add()}
      />
      <Button label={`Add a field to ${owner}`} act={add}>
        + field
      </Button>
    </>
  );
}

/** Focuses an added field, its first field, or that one's name. */
function focusSoon(label: string) {
  const [own, inner, name] = [label, `${label}.`, nameLabel(label)].map((one) => JSON.stringify(one));
  const added = `.try-form :is([aria-label=${own}], [aria-label^=${inner}], [aria-label=${name}])`;
  setTimeout(() => document.querySelector<HTMLElement>(added)?.focus());
}

function nameLabel(owner: string) {
  return `Name of a new field of ${owner}`;
}

function inLabel(label: string, name: string) {
  return label === "" ? name : `${label}.${name}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

interface Slot {
  /** Dotted names, such as `data.text`; empty for the root. */
  readonly label: string;
  readonly value: unknown;
  /** Original value: its missing fields can be restored. */
  readonly base?: unknown;
  /** Documented type; without, every field can have any type. */
  readonly type?: FieldType | undefined;
  readonly onChange: (value: unknown) => void;
}

function Leaf({ label, value, type, onChange }: Slot) {
  const named = label || "value";
  const choices = typeof value === "boolean" ? ["true", "false"] : choicesOf(type);
  if (choices?.includes(String(value))) {
    return (
      <Select
        label={named}
        value={String(value)}
        options={choices}
        onInput={(text) => onChange(typeof value === "string" ? text : JSON.parse(text))}
      />
    );
  }
  if (typeof value === "number") return <NumberInput label={named} value={value} onChange={onChange} />;
  if (typeof value !== "string") return <span class="soft code">null</span>;
  return (
    <textarea
      class="try-text"
      rows={1}
      aria-label={named}
      placeholder="empty text"
      value={value}
      spellcheck={false}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Shows the typed text while focused, such as "-". */
function NumberInput({ label, value, onChange }: Slot & { value: number }) {
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && !isNumber(typed);
  return (
    <span class="row try-number">
      <input
        type="text"
        inputMode="decimal"
        class="number"
        aria-label={label}
        aria-invalid={isWrong}
        value={typed ?? String(value)}
        onInput={({ currentTarget: { value: text } }) => {
          setTyped(text);
          if (isNumber(text)) onChange(Number(text));
        }}
        onBlur={() => setTyped(undefined)}
      />
      <small class="soft clip">{isWrong && "not a number"}</small>
    </span>
  );
}

function isNumber(text: string) {
  return text.trim() !== "" && Number.isFinite(Number(text));
}
