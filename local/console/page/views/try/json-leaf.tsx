import { useState } from "preact/hooks";
import { sayTime } from "../../parts/time.tsx";
import { choicesOf, typeAt } from "./field-types.ts";
import { type Edit, named } from "./form-edit.ts";
import { convert, dotted, kindOf, kinds, type Path } from "./json-edit.ts";

export function Leaf({ value, path, edit }: { value: unknown; path: Path; edit: Edit }) {
  const label = dotted(path) || "value";
  const choices = choicesOf(typeAt(edit.type, path));
  if (choices?.includes(String(value))) {
    return (
      <select
        aria-label={label}
        value={String(value)}
        onChange={({ currentTarget }) =>
          edit.set(path, typeof value === "number" ? Number(currentTarget.value) : currentTarget.value)
        }
      >
        {choices.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    );
  }
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
  return <span class="soft code">null</span>;
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
    <span class="row try-number">
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
      <small class="soft clip">{isWrong ? "not a number" : momentOf(value)}</small>
    </span>
  );
}

function momentOf(value: number): string {
  const ms = value > 1_420_000_000 && value < 2_500_000_000 ? value * 1_000 : value;
  if (ms < 1_420_000_000_000 || ms > 2_500_000_000_000) return "";
  return sayTime(ms, "moment");
}

export function KindSelect({ value, path, edit }: { value: unknown; path: Path; edit: Edit }) {
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
