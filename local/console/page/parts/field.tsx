import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export type Options = readonly (string | readonly [value: string, words: string])[];

interface SelectProps extends Pick<FieldProps, "name" | "value" | "onInput"> {
  readonly options: Options;
  readonly class?: string;
  /** Accessible name without a visible label. */
  readonly label?: string;
  readonly id?: string;
}

export function Select({ name, value, options, onInput, label, id, ...more }: SelectProps) {
  return (
    <select
      id={id}
      name={name}
      class={more.class}
      aria-label={label}
      aria-describedby={id && `${id}-hint`}
      value={value}
      onChange={({ currentTarget }) => onInput?.(currentTarget.value)}
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
  readonly name?: string;
  /** Without `onInput`, the initial value. */
  readonly value?: string | undefined;
  readonly onInput?: ((value: string) => void) | undefined;
  readonly hint?: string | undefined;
}

export function SelectField({ options, ...props }: FieldProps & { readonly options: Options }) {
  const { name = "", value, onInput } = props;
  return (
    <Field {...props}>
      {(id) => <Select id={id} name={name} value={value} options={options} onInput={onInput} />}
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
          {...inputOf(id, props)}
          placeholder={placeholder}
          required={isRequired}
          autocomplete="off"
        />
      )}
    </Field>
  );
}

export function TextArea({ rows, ...props }: FieldProps & { readonly rows: number }) {
  return <Field {...props}>{(id) => <textarea {...inputOf(id, props)} rows={rows} />}</Field>;
}

function inputOf(id: string, { name, value, onInput }: FieldProps) {
  return {
    id,
    name,
    spellcheck: false,
    "aria-describedby": `${id}-hint`,
    ...(onInput === undefined ? { defaultValue: value } : { value }),
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onInput?.(currentTarget.value),
  };
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
  children,
}: Pick<FieldProps, "label" | "hint"> & { children: (id: string) => ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}
