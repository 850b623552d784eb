import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import type { FormField } from "../../parts/form-values.ts";
import { notifyDone } from "../../parts/toasts.tsx";

/** `create` returns a confirmation. */
export function NewButton({
  word,
  kind,
  fields,
  entity,
  create,
}: {
  readonly word: string;
  readonly kind?: "main";
  readonly fields: readonly FormField[];
  readonly entity?: object;
  readonly create: (body: Record<string, unknown>) => Promise<string>;
}) {
  const [isOpen, setOpen] = useState(false);
  const title = `New ${word}`;
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {title}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <Form
            label={title}
            fields={fields}
            entity={entity}
            submitLabel={`Create ${word}`}
            onCancel={close}
            submit={async (body) => {
              const done = await create(body);
              close();
              notifyDone(done);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
