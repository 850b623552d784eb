import { useEffect, useState } from "preact/hooks";
import { TextField } from "../../../parts/field.tsx";
import { notifyFailed } from "../../../parts/toasts.tsx";

const typingMs = 500;

export function NumberInput({
  label,
  value,
  least = 0,
  most,
  set,
}: {
  readonly label: string;
  readonly value: number;
  readonly least?: number;
  readonly most: number;
  readonly set: (value: number) => Promise<unknown>;
}) {
  const [text, setText] = useState<string>();
  const wanted = Number(text ?? value);
  const fits = text !== "" && wanted >= least && wanted <= most;
  useEffect(() => {
    if (text === undefined || !fits) return undefined;
    const timer = setTimeout(() => {
      set(wanted)
        .then(() => setText(undefined))
        .catch(notifyFailed);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      type="number"
      label={label}
      value={text ?? String(value)}
      onInput={setText}
      error={fits ? undefined : `From ${least} to ${most}`}
    />
  );
}
