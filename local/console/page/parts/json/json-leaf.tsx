import { useState } from "preact/hooks";
import type { FieldType } from "../../../api/explorer.ts";
import { Select } from "../field.tsx";
import { sayTime } from "../time.tsx";
import { choicesOf } from "./field-types.ts";

/** A place in the form's value. */
export interface Slot {
  /** Dotted names, such as `data.text`; empty for the whole. */
  readonly label: string;
  readonly value: unknown;
  /** Fields of it that the value lacks can be restored. */
  readonly base?: unknown;
  /** What is documented of it; without it, every field can have any type. */
  readonly type?: FieldType | undefined;
  readonly onChange: (value: unknown) => void;
}

export function Leaf({ label, value, type, onChange }: Slot) {
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

/** While it has the focus, it shows what was typed, such as "-". */
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
      <small class="soft clip">{isWrong ? "not a number" : momentOf(value)}</small>
    </span>
  );
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Of seconds or milliseconds since 1970, from 2015 to 2049. */
function momentOf(value: number): string {
  const ms = value < 2_500_000_000 ? value * 1_000 : value;
  return ms < 1_420_000_000_000 || ms > 2_500_000_000_000 ? "" : sayTime(ms, "moment");
}
