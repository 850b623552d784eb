import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { notifyDone, notifyFailed } from "./toasts.tsx";

export interface ButtonProps {
  readonly children: ComponentChildren;
  /** The button is disabled while it runs; errors are shown. */
  readonly act: () => unknown;
  readonly kind?: "main" | "plain" | "quiet" | "danger";
  readonly label?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isPressed?: boolean | undefined;
}

export function Button({ children, act, kind = "plain", label, isDisabled = false, isPressed }: ButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      notifyFailed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      aria-busy={isBusy}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={() => void press()}
    >
      {children}
    </button>
  );
}

export function CopyButton({
  text,
  children = "Copy",
  label,
}: {
  text: string | (() => string | Promise<string>);
  children?: ComponentChildren;
  label?: string;
}) {
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
    notifyDone("Copied.");
  };
  return (
    <Button act={copy} kind="quiet" label={label}>
      {children}
    </Button>
  );
}
