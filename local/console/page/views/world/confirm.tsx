import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { notifyDone } from "../../parts/toasts.tsx";

export function ConfirmButton({
  label,
  title,
  says,
  done,
  act,
}: {
  readonly label: string;
  readonly title: string;
  readonly says: string;
  readonly done: string;
  readonly act: () => Promise<unknown>;
}) {
  const [isOpen, setOpen] = useState(false);
  const sure = async () => {
    await act();
    setOpen(false);
    notifyDone(done);
  };
  return (
    <>
      <Button kind="danger" act={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <p>{says}</p>
          <div class="buttons">
            <Button kind="danger" act={sure}>
              {label}
            </Button>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
