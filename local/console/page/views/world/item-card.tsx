import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import type { FormField } from "../../parts/form-values.ts";
import { notifyDone } from "../../parts/toasts.tsx";
import type { Resource } from "../../parts/use-resource.ts";
import { ConfirmButton } from "./confirm.tsx";
import { Card, PartTrouble } from "./part-head.tsx";

interface ItemCardProps<Item> {
  readonly title: string;
  /** The singular: `reason`. */
  readonly word: string;
  readonly says?: ComponentChildren;
  readonly resource: Resource<{ readonly data: readonly Item[] }>;
  readonly columns: readonly Column<Item>[];
  readonly idOf: (item: Item) => string;
  readonly fields: { readonly fresh: readonly FormField[]; readonly existing: readonly FormField[] };
  /** Default: sends the whole form. */
  readonly sendsChanges?: boolean;
  readonly save: (body: Record<string, unknown>, existing: Item | undefined) => Promise<unknown>;
  readonly remove: (item: Item) => Promise<unknown>;
  readonly lost: string;
  readonly none: string;
  readonly children?: ComponentChildren;
}

export function ItemCard<Item extends object>(props: ItemCardProps<Item>) {
  const { title, word, says, idOf, none, children } = props;
  const { value, error, reload } = props.resource;
  const [open, setOpen] = useState<{ item: Item | undefined }>();
  const items = value?.data ?? [];
  const acts: Column<Item> = {
    title: "Acts",
    cell: (item) => (
      <span class="world-acts">
        <button
          type="button"
          class="quiet"
          aria-label={`Edit ${idOf(item)}`}
          onClick={() => setOpen({ item })}
        >
          Edit
        </button>
        <ConfirmButton
          isQuiet={true}
          label="Delete"
          title={`Delete the ${word} ${idOf(item)}?`}
          says={props.lost}
          done={`Deleted ${idOf(item)}.`}
          act={async () => {
            await props.remove(item);
            reload();
          }}
        />
      </span>
    ),
  };
  return (
    <Card title={title} says={says}>
      <PartTrouble error={error} />
      {value !== undefined && items.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <DataTable label={title} columns={[...props.columns, acts]} rows={items} keyOf={idOf} />
      )}
      <div class="buttons">
        <button type="button" onClick={() => setOpen({ item: undefined })}>
          New {word}
        </button>
        {children}
      </div>
      {open !== undefined && <ItemDialog {...props} item={open.item} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

function ItemDialog<Item extends object>({
  item,
  onClose,
  ...props
}: ItemCardProps<Item> & { item: Item | undefined; onClose: () => void }) {
  const { word, fields } = props;
  return (
    <Dialog title={item === undefined ? `New ${word}` : `Edit ${props.idOf(item)}`} onClose={onClose}>
      <Form
        label={`The ${word}`}
        fields={item === undefined ? fields.fresh : fields.existing}
        entity={item}
        {...(item !== undefined && props.sendsChanges === true && { changes: { unsettable: [] } })}
        submitLabel={item === undefined ? `Create ${word}` : "Save"}
        onCancel={onClose}
        submit={async (body) => {
          await props.save(body, item);
          onClose();
          props.resource.reload();
          notifyDone("Saved.");
        }}
      />
    </Dialog>
  );
}
