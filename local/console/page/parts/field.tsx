import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

export function TextField({
  label,
  value,
  onInput,
  hint,
  error,
  ...more
}: FieldProps & {
  readonly type?: keyof typeof inputs;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
}) {
  const id = useId();
  const attributes = {
    id,
    value,
    placeholder: more.placeholder,
    required: more.isRequired,
    spellcheck: false,
    autocomplete: "off" as const,
    "aria-invalid": error !== undefined,
    "aria-describedby": `${id}-told`,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
  };
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {inputs[more.type ?? "text"](attributes)}
    </Field>
  );
}

// One component per kind, because their types differ.
const inputs = {
  text: (attributes: Attributes) => <input type="text" {...attributes} />,
  search: (attributes: Attributes) => <input type="search" {...attributes} />,
  number: (attributes: Attributes) => <input type="number" step="any" {...attributes} />,
  password: (attributes: Attributes) => <input type="password" {...attributes} />,
  date: (attributes: Attributes) => <input type="date" {...attributes} />,
  "datetime-local": (attributes: Attributes) => <input type="datetime-local" {...attributes} />,
};

interface Attributes {
  readonly id: string;
  readonly value: string;
  readonly placeholder: string | undefined;
  readonly required: boolean | undefined;
  readonly spellcheck: boolean;
  readonly autocomplete: "off";
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string;
  onInput(event: { currentTarget: HTMLInputElement }): void;
}

export function TextArea({
  label,
  value,
  onInput,
  hint,
  error,
  rows = 6,
  isCode = false,
}: FieldProps & {
  readonly rows?: number;
  readonly isCode?: boolean;
}) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        class={isCode ? "code" : undefined}
        rows={rows}
        value={value}
        spellcheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-told`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </Field>
  );
}

export function SelectField({
  label,
  value,
  onInput,
  hint,
  error,
  options,
}: FieldProps & {
  readonly options: readonly (string | readonly [value: string, words: string])[];
}) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-told`}
        onChange={({ currentTarget }) => onInput(currentTarget.value)}
      >
        {options.map((option) => {
          const [own, words] = typeof option === "string" ? [option, option] : option;
          return (
            <option key={own} value={own}>
              {words}
            </option>
          );
        })}
      </select>
    </Field>
  );
}

export function CheckField({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: boolean;
  readonly onInput: (value: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => onInput(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <p id={`${id}-told`} class={error === undefined ? "hint" : "hint is-error"}>
        {error ?? hint}
      </p>
    </div>
  );
}
