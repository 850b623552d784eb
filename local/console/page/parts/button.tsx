import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messageOf, noAnswer } from "./ask.ts";
import { useConnected } from "./use-resource.ts";

interface ButtonProps {
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

export function CloseButton({ label, act }: Pick<ButtonProps, "label" | "act">) {
  return (
    <Button kind="quiet" label={label} act={act}>
      ×
    </Button>
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

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "failed";
}

const shownMs = 6_000;
let toasts: readonly Toast[] = [];
let nextId = 1;
const watchers = new Set<(toasts: readonly Toast[]) => void>();

export function notifyDone(text: string): void {
  show(text, "done");
}

export function notifyFailed(error: unknown): void {
  show(messageOf(error), "failed");
}

/** The last one shows them: a dialog makes the page inert. */
export function Toasts() {
  const [shown, setShown] = useState<readonly Toast[]>([]);
  useEffect(() => {
    watchers.add(setShown);
    update(toasts);
    return () => {
      watchers.delete(setShown);
      update(toasts);
    };
  }, []);
  const isConnected = useConnected();
  useEffect(() => {
    if (isConnected) update(toasts.filter(({ text }) => text !== noAnswer));
  }, [isConnected]);
  return (
    <section class="toasts" role="status" aria-live="polite" aria-label="Notifications">
      {shown.map(({ id, text, kind }) => (
        <p key={id} class={`toast is-${kind}`}>
          <span>{text}</span>
          <CloseButton label="Dismiss" act={() => remove(id)} />
        </p>
      ))}
    </section>
  );
}

function show(text: string, kind: Toast["kind"]) {
  const id = nextId++;
  update([...toasts.slice(-3), { id, text, kind }]);
  if (kind === "done") setTimeout(remove, shownMs, id);
}

function remove(id: number) {
  update(toasts.filter((toast) => toast.id !== id));
}

function update(changed: readonly Toast[]) {
  toasts = changed;
  const last = [...watchers].at(-1);
  for (const watcher of watchers) watcher(watcher === last ? toasts : []);
}
