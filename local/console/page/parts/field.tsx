import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export type Options = readonly (string | readonly [value: string, words: string])[];

interface SelectProps {
  readonly value: string;
  readonly options: Options;
  readonly onInput: (value: string) => void;
  readonly class?: string;
  /** Read aloud, where no label is shown. */
  readonly label?: string;
  readonly id?: string;
}

export function Select({ value, options, onInput, label, id, ...more }: SelectProps) {
  return (
    <select
      id={id}
      class={more.class}
      aria-label={label}
      aria-describedby={id && `${id}-told`}
      value={value}
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
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

export function SelectField({ options, ...props }: FieldProps & { readonly options: Options }) {
  return (
    <Field {...props}>
      {(id) => <Select id={id} value={props.value} options={options} onInput={props.onInput} />}
    </Field>
  );
}

const types = {
  text: { type: "text" },
  search: { type: "search" },
  number: { type: "number", step: "any" },
  password: { type: "password" },
  date: { type: "date" },
  "datetime-local": { type: "datetime-local" },
} as const;

interface TextFieldProps extends FieldProps {
  readonly type?: keyof typeof types;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
}

export function TextField({ type = "text", placeholder, isRequired, ...props }: TextFieldProps) {
  return (
    <Field {...props}>
      {(id) => (
        <input
          {...types[type]}
          id={id}
          placeholder={placeholder}
          value={props.value}
          required={isRequired}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={props.error !== undefined}
          aria-describedby={`${id}-told`}
          onInput={({ currentTarget }) => props.onInput(currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({ rows = 6, ...props }: FieldProps & { readonly rows?: number }) {
  return (
    <Field {...props}>
      {(id) => (
        <textarea
          id={id}
          rows={rows}
          value={props.value}
          spellcheck={false}
          aria-describedby={`${id}-told`}
          onInput={({ currentTarget }) => props.onInput(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface CheckProps {
  readonly label: string;
  readonly value: boolean;
  readonly onInput: (value: boolean) => void;
}

export function CheckField({ label, value, onInput }: CheckProps) {
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
  label,
  hint,
  error,
  children,
}: Pick<FieldProps, "label" | "hint" | "error"> & { children: (id: string) => ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      <p id={`${id}-told`} class={error === undefined ? "hint" : "hint is-error"}>
        {error ?? hint}
      </p>
    </div>
  );
}
