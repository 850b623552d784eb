import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import type { Column } from "../../../parts/data-table.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { useResource } from "../../../parts/use-resource.ts";
import { ItemCard } from "../item-card.tsx";

interface KeywordList {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly category: string;
  readonly searchTerms: readonly string[];
  readonly disallowedSentences?: readonly string[];
  readonly default?: boolean;
}

const existing: readonly FormField[] = [
  { name: "name", label: "Name", isRequired: true },
  { name: "description", label: "Description" },
  { name: "category", label: "Kind", kind: "choice", options: ["word", "pattern", "sentence-similarity"] },
  {
    name: "terms",
    label: "Terms",
    kind: "long",
    isRequired: true,
    hint: "One per line, or separated by commas; sentences one per line. Put a pattern with a comma in double quotes.",
    codes: ["ERR_BAD_REQUEST"],
  },
];

const fresh: readonly FormField[] = [
  { name: "id", label: "Id", hint: "Default: made from the name." },
  ...existing,
];

const columns: readonly Column<KeywordList>[] = [
  {
    title: "List",
    cell: (list) => (
      <span class="world-name is-block">
        <span>
          <bdi>{list.name}</bdi> {list.default === true && <Badge>built in</Badge>}
        </span>
        <code>{list.id}</code>
      </span>
    ),
  },
  { title: "Kind", cell: ({ category }) => category, isMinor: true },
  {
    title: "Terms",
    cell: (list) => {
      const terms = termsOf(list);
      return `${terms.slice(0, 5).join(", ")}${terms.length > 5 ? ` and ${terms.length - 5} more` : ""}`;
    },
  },
];

export function KeywordLists({ appId }: { appId: string }) {
  const path = `/api/chat/${appId}/moderation/keywords`;
  const { value, ...rest } = useResource<{ data: readonly KeywordList[] }>(path, ["world"]);
  const data = value?.data.map((list) => ({ ...list, terms: termsOf(list).map(quote).join("\n") }));
  return (
    <ItemCard
      title="Keyword lists"
      word="list"
      says="Words, patterns and sentences for rules."
      resource={{ ...rest, value: data && { data } }}
      columns={columns}
      idOf={({ id }) => id}
      fields={{ fresh, existing }}
      save={({ terms, ...body }, list) => {
        const form = new FormData();
        for (const [name, text] of Object.entries(body)) form.set(name, String(text));
        form.set(
          body.category === "sentence-similarity" ? "disallowedSentences" : "searchTerms",
          String(terms),
        );
        return list === undefined
          ? ask(path, { method: "POST", body: form })
          : ask(`${path}/${encodeURIComponent(list.id)}`, { method: "PUT", body: form });
      }}
      remove={({ id }) => ask(`${path}/${encodeURIComponent(id)}`, { method: "DELETE" })}
      lost="Rules that use this list no longer match its terms."
      none="No keyword lists."
    />
  );
}

function termsOf({ searchTerms, disallowedSentences = [] }: KeywordList): readonly string[] {
  return disallowedSentences.length > 0 ? disallowedSentences : searchTerms;
}

function quote(term: string): string {
  return term.includes(",") ? `"${term.replaceAll('"', '""')}"` : term;
}
