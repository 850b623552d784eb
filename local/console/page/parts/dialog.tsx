import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, CloseButton, notifyDone, Toasts } from "./button.tsx";
import { Trouble } from "./texts.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>(fields)?.focus();
    return () => {
      // Closing the dialog returns the focus; removing it would lose it.
      isGone.current = true;
      element?.close();
    };
  }, []);
  const closed = () => {
    if (!isGone.current) onClose();
  };
  const closeBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by the dialog itself
    <dialog ref={dialog} aria-labelledby={id} onClose={closed} onClick={closeBeside}>
      <div class="dialog">
        <div class="row is-apart">
          <h2 id={id}>{title}</h2>
          <CloseButton label="Close" act={onClose} />
        </div>
        {children}
      </div>
      <Toasts />
    </dialog>
  );
}

const fields = "input, select, textarea";

interface DialogButtonProps extends Pick<DialogProps, "title"> {
  readonly label: ComponentChildren;
  readonly kind?: "plain" | "quiet" | "danger";
  readonly ariaLabel?: string | undefined;
  readonly children: (close: () => void) => ComponentChildren;
}

export function DialogButton({ label, kind = "plain", ariaLabel, title, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind={kind} label={ariaLabel} act={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

interface ConfirmProps extends Pick<DialogProps, "title"> {
  readonly label: string;
  readonly description: string;
  readonly done: string;
  readonly act: () => Promise<unknown>;
}

export function ConfirmButton({ label, title, description, done, act }: ConfirmProps) {
  return (
    <DialogButton kind="danger" label={label} title={title}>
      {(close) => {
        const sure = async () => {
          await act();
          close();
          notifyDone(done);
        };
        return (
          <>
            <p>{description}</p>
            <div class="buttons">
              <Button kind="danger" act={sure}>
                {label}
              </Button>
              <Button act={close}>Cancel</Button>
            </div>
          </>
        );
      }}
    </DialogButton>
  );
}

export type ValueOf = (name: string) => string;

interface FormProps {
  readonly label: string;
  readonly act: (get: ValueOf) => unknown;
  readonly kind?: "main" | "plain" | "danger";
  readonly isLine?: boolean;
  readonly isDisabled?: boolean;
  readonly more?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Form({ label, act, kind = "main", isLine, isDisabled, more, children }: FormProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (values: FormData) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await act((name) => String(values.get(name) ?? ""));
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class={isLine === true ? "line" : "fields"}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      {children}
      <div class="buttons">
        <button type="submit" class={kind} aria-busy={isBusy} disabled={isDisabled}>
          {label}
        </button>
        {more}
      </div>
      <Trouble error={error} />
    </form>
  );
}

const gapPx = 6;

interface MenuProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Menu({ label, anchor, onClose, children }: MenuProps) {
  const menu = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return undefined;
    element.showPopover();
    const place = anchor.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const below = place.bottom + gapPx;
    const top = below + height <= innerHeight ? below : Math.max(gapPx, place.top - gapPx - height);
    const left = Math.min(Math.max(gapPx, place.right - width), innerWidth - width - gapPx);
    Object.assign(element.style, { top: `${top}px`, left: `${left}px` });
    element.querySelector("button")?.focus();
    const step = (event: KeyboardEvent) => {
      const by = steps[event.key];
      const items = [...element.querySelectorAll<HTMLElement>("button, a")];
      const at = items.findIndex((item) => item.matches(":focus"));
      if (by === undefined || at === -1) return;
      event.preventDefault();
      items.at((at + by) % items.length)?.focus();
    };
    element.addEventListener("keydown", step);
    return () => element.removeEventListener("keydown", step);
  }, []);
  return (
    <section
      ref={menu}
      popover="auto"
      class="chat-menu"
      aria-label={label}
      onToggle={(event) => {
        if (event.newState !== "closed" || menu.current === null) return;
        if (document.activeElement === document.body) anchor.focus();
        onClose();
      }}
    >
      {children}
    </section>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
