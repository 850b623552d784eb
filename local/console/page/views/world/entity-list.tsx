import { ask } from "../../parts/ask.ts";
import { type Column, DataTable, Pager, SearchField } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import type { FormField } from "../../parts/form-values.ts";
import { go, useRoute } from "../../parts/route.ts";
import { useResource } from "../../parts/use-resource.ts";
import { NewButton } from "./new-button.tsx";
import { PartHead, PartTrouble } from "./part-head.tsx";
import { toWorld } from "./to-world.ts";
import type { WirePage } from "./wire.ts";

const perPage = 50;

interface ListFilter {
  readonly name: string;
  readonly label: string;
  /** The first value is the default. */
  readonly options?: Parameters<typeof SelectField>[0]["options"];
}

interface EntityListProps<Entity> {
  readonly appId: string;
  readonly kind: "groups" | "users";
  readonly title: string;
  readonly says: string;
  /** The singular: `group`. */
  readonly word: string;
  readonly idOf: (entity: Entity) => string;
  readonly columns: readonly Column<Entity>[];
  readonly searchHint: string;
  readonly filters: readonly ListFilter[];
  readonly asked: (query: URLSearchParams) => Readonly<Record<string, string>>;
  readonly newFields: readonly FormField[];
  readonly idField: string;
}

export function EntityList<Entity>({ appId, kind, title, says, word, ...list }: EntityListProps<Entity>) {
  const { query } = useRoute();
  const set = Object.fromEntries(query);
  const page = query.get("page") ?? "1";
  const path = `/api/chat/${appId}/${kind}`;
  const asked = new URLSearchParams({ perPage: String(perPage), page, withTags: "true" });
  for (const [name, text] of Object.entries(list.asked(query))) if (text !== "") asked.set(name, text);
  const { value, error } = useResource<WirePage<Entity>>(`${path}?${asked}`, ["world"]);
  const entities = value?.data ?? [];
  const filter = (name: string, text: string) =>
    go(toWorld([kind], { ...set, page: undefined, [name]: text }), { replace: true });
  return (
    <>
      <PartHead title={title} says={says}>
        <NewButton
          word={word}
          kind="main"
          fields={list.newFields}
          create={async (body) => {
            await ask(path, { method: "POST", body });
            return `Created ${body[list.idField]}.`;
          }}
        />
      </PartHead>
      <search class="world-filters">
        <SearchField
          label="Search"
          placeholder={list.searchHint}
          value={query.get("search") ?? ""}
          onSearch={(text) => filter("search", text)}
        />
        {list.filters.map(({ name, label, options }) => {
          const field = { label, value: set[name] ?? "", onInput: (text: string) => filter(name, text) };
          if (options === undefined) return <TextField key={name} {...field} />;
          return <SelectField key={name} {...field} options={options} />;
        })}
      </search>
      <PartTrouble error={error} />
      {value !== undefined && entities.length === 0 ? (
        <Empty title={`No matching ${word}`}>{`Change the filters, or create a ${word}.`}</Empty>
      ) : (
        <DataTable label={title} columns={list.columns} rows={entities} keyOf={list.idOf} />
      )}
      <Pager
        page={Number(page)}
        perPage={perPage}
        total={value?.meta?.pagination?.total ?? 0}
        onPage={(next) => go(toWorld([kind], { ...set, page: String(next) }))}
      />
    </>
  );
}
