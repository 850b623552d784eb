import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { CheckField, SelectField, TextArea, TextField } from "./field.tsx";
import {
  type FormField,
  type FormValues,
  placeErrors,
  readChanges,
  readNew,
  toFormValues,
} from "./form-values.ts";

export interface FormProps {
  readonly label: string;
  readonly fields: readonly FormField[];
  readonly entity?: object | undefined;
  /**
   * The form changes `entity`: only differences are sent; emptied fields of these names are listed in
   * `unset`.
   */
  readonly changes?: { readonly unsettable: readonly string[] };
  /** Errors that it throws are shown at their fields. */
  readonly submit: (body: Record<string, unknown>) => Promise<unknown>;
  readonly submitLabel: string;
  readonly kind?: "main" | "plain";
  readonly keepsValues?: boolean;
  readonly onCancel?: () => void;
  readonly children?: ComponentChildren;
}

function useForm({ fields, entity, changes, submit, keepsValues }: FormProps) {
  const before = toFormValues(fields, { ...entity });
  const [typed, setTyped] = useState<FormValues>({});
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [rest, setRest] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const values = { ...before, ...typed };
  const send = async () => {
    const form =
      changes === undefined
        ? readNew(fields, values)
        : readChanges(fields, before, values, changes.unsettable);
    setErrors(form.errors);
    setRest(undefined);
    if (Object.keys(form.errors).length > 0) return;
    setBusy(true);
    try {
      await submit(form.body);
      if (keepsValues !== true) setTyped({});
    } catch (error) {
      const placed = placeErrors(fields, error);
      setErrors(placed.errors);
      setRest(placed.rest);
    } finally {
      setBusy(false);
    }
  };
  const type = (name: string, value: string | boolean) => setTyped((known) => ({ ...known, [name]: value }));
  return { values, errors, rest, isBusy, send, type };
}

export function Form(props: FormProps) {
  const { label, fields, submitLabel, kind = "main", onCancel, children } = props;
  const { values, errors, rest, isBusy, send, type } = useForm(props);
  return (
    <form
      class="fields"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void send();
      }}
    >
      {fields.map((field) => (
        <FormInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          error={errors[field.name]}
          onInput={(value) => type(field.name, value)}
        />
      ))}
      {rest !== undefined && (
        <p class="trouble" role="alert">
          {rest}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class={kind} aria-busy={isBusy}>
          {submitLabel}
        </button>
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {children}
      </div>
    </form>
  );
}

interface InputProps {
  readonly field: FormField;
  readonly value: string | boolean;
  readonly error: string | undefined;
  readonly onInput: (value: string | boolean) => void;
}

function FormInput({ field, value, error, onInput }: InputProps) {
  const { kind = "text", label, hint, options = [], placeholder } = field;
  if (typeof value === "boolean") return <CheckField label={label} value={value} onInput={onInput} />;
  const shared = {
    label,
    value,
    onInput,
    error,
    hint: hint ?? (kind === "words" ? "Separated by commas." : undefined),
  };
  if (kind === "choice") return <SelectField {...shared} options={options} />;
  if (kind === "json" || kind === "list" || kind === "long")
    return <TextArea {...shared} isCode={kind !== "long"} rows={4} />;
  const type = kind === "password" || kind === "number" ? kind : "text";
  return (
    <TextField
      {...shared}
      type={type}
      {...(placeholder !== undefined && { placeholder })}
      isRequired={field.isRequired === true}
    />
  );
}
