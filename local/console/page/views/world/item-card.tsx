import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import type { FormField } from "../../parts/form-values.ts";
import { tellDone } from "../../parts/toasts.tsx";
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
  /** The fields of a new and of an existing item; some cannot be changed. */
  readonly fields: { readonly fresh: readonly FormField[]; readonly existing: readonly FormField[] };
  /** Sends only changed fields; otherwise the whole form. */
  readonly sendsChanges?: boolean;
  readonly save: (body: Record<string, unknown>, existing: Item | undefined) => Promise<unknown>;
  readonly remove: (item: Item) => Promise<unknown>;
  /** What deleting an item loses. */
  readonly lost: string;
  readonly none: string;
  readonly children?: ComponentChildren;
}

/** A short list of items that can be created, changed and deleted. */
export function ItemCard<Item extends object>({
  title,
  word,
  says,
  resource: { value, error, reload },
  columns,
  idOf,
  fields,
  save,
  remove,
  ...more
}: ItemCardProps<Item>) {
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
          says={more.lost}
          done={`Deleted ${idOf(item)}.`}
          act={async () => {
            await remove(item);
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
        <p class="soft">{more.none}</p>
      ) : (
        <DataTable label={title} columns={[...columns, acts]} rows={items} keyOf={idOf} />
      )}
      <div class="buttons">
        <button type="button" onClick={() => setOpen({ item: undefined })}>
          New {word}
        </button>
        {more.children}
      </div>
      {open !== undefined && (
        <Dialog
          title={open.item === undefined ? `New ${word}` : `Edit ${idOf(open.item)}`}
          onClose={() => setOpen(undefined)}
        >
          <Form
            label={`The ${word}`}
            fields={open.item === undefined ? fields.fresh : fields.existing}
            entity={open.item}
            {...(open.item !== undefined && more.sendsChanges === true && { changes: { unsettable: [] } })}
            submitLabel={open.item === undefined ? `Create ${word}` : "Save"}
            onCancel={() => setOpen(undefined)}
            submit={async (body) => {
              await save(body, open.item);
              setOpen(undefined);
              reload();
              tellDone("Saved.");
            }}
          />
        </Dialog>
      )}
    </Card>
  );
}
