import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import type { Column } from "../../../parts/data-table.tsx";
import { type FormField, splitWords } from "../../../parts/form-values.ts";
import { notifyFailed } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { ItemCard } from "../item-card.tsx";

interface Condition {
  readonly category: string;
  readonly operand: string;
  readonly operator: string;
  readonly value: readonly string[];
}

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly default?: boolean;
  readonly action: readonly string[];
  readonly conditions: readonly Condition[];
  readonly filters?: readonly object[];
}

const action: FormField = {
  name: "action",
  label: "When it matches",
  kind: "choice",
  options: [
    ["blockMessage", "block: only the sender sees it"],
    ["dropMessage", "drop: it is not stored"],
  ],
};

const fresh: readonly FormField[] = [
  { name: "name", label: "Name", isRequired: true },
  { name: "description", label: "Description" },
  action,
  {
    name: "category",
    label: "Looks for",
    kind: "choice",
    options: [
      ["word", "words"],
      ["pattern", "regular expressions"],
      ["sentence-similarity", "similar sentences"],
      ["keywords", "terms of keyword lists"],
      ["custom-api", "result of a custom service"],
    ],
  },
  {
    name: "value",
    label: "Words, patterns, or ids of lists and services",
    kind: "long",
    isRequired: true,
    hint: "One per line. Append the threshold to a service or sentence: my-service_greaterThan_70",
  },
  { name: "message", label: "Message to show", placeholder: "Why the message was blocked" },
];

const existing: readonly FormField[] = [
  { name: "name", label: "Name", isRequired: true },
  { name: "description", label: "Description" },
  { name: "enabled", label: "Enabled", kind: "check" },
  action,
  { name: "conditions", label: "Conditions", kind: "list", hint: "One match is enough; at most 10." },
  {
    name: "filters",
    label: "Filters",
    kind: "list",
    hint: "All must match: [{ type, entity, operand, operator, value }]",
  },
];

const ruleColumns: readonly Column<Rule>[] = [
  {
    title: "Rule",
    cell: (rule) => (
      <span class="world-name is-block">
        <span>
          <bdi>{rule.name}</bdi> {rule.default === true && <Badge>built in</Badge>}
        </span>
        <code>{rule.id}</code>
      </span>
    ),
  },
  {
    title: "Looks for",
    cell: ({ conditions, filters = [] }) => (
      <>
        {conditions.map(sayCondition).join("; or ")}
        {filters.length > 0 && <Badge>{filters.length} filters</Badge>}
      </>
    ),
    isMinor: true,
  },
  { title: "Does", cell: ({ action: acts }) => acts.join(", "), isMinor: true },
];

/**
 * Built-in rules come first.
 * @see docs/internals/platform/moderation.md#rules
 */
export function Rules({ appId }: { appId: string }) {
  const path = `/api/chat/${appId}/moderation/rules`;
  const resource = useResource<{ data: readonly Rule[] }>(`${path}?limit=1000`, ["world"]);
  const own = (id: string) => `${path}/${encodeURIComponent(id)}`;
  const enable = async (id: string, enabled: boolean) => {
    try {
      await ask(own(id), { method: "PUT", body: { enabled } });
    } catch (error) {
      notifyFailed(error);
    }
    resource.reload();
  };
  const columns: readonly Column<Rule>[] = [
    {
      title: "On",
      cell: ({ id, name, enabled }) => (
        <input
          type="checkbox"
          class="world-toggle"
          aria-label={`${name} is on`}
          checked={enabled}
          onChange={({ currentTarget }) => void enable(id, currentTarget.checked)}
        />
      ),
    },
    ...ruleColumns,
  ];
  return (
    <ItemCard
      title="Rules"
      word="rule"
      says="The first rule that blocks decides. Image, video and toxicity conditions need the platform's models and never match here."
      resource={resource}
      columns={columns}
      idOf={({ id }) => id}
      fields={{ fresh, existing }}
      sendsChanges={true}
      save={(body, rule) =>
        rule === undefined
          ? ask(path, { method: "POST", body: toRule(body) })
          : ask(own(rule.id), { method: "PUT", body: withAction(body) })
      }
      remove={({ id }) => ask(own(id), { method: "DELETE" })}
      lost="The rule and its earlier revisions are deleted. Messages that it blocked stay blocked."
      none="No rules."
    />
  );
}

function sayCondition({ operand, operator, category, value }: Condition): string {
  const shown = value.slice(0, 3).join(", ");
  return `${operand} ${operator} ${category} ${shown}${value.length > 3 ? ", …" : ""}`;
}

function toRule({ category, value, message, ...body }: Record<string, unknown>): object {
  const isReference = category === "keywords";
  const condition = {
    entity: "message",
    operand: "text",
    operator: "contains",
    category: isReference ? "word" : category,
    isKeywordsReferencePresent: isReference,
    value: category === "pattern" ? String(value).split("\n") : splitWords(String(value)),
    message: message === undefined ? [] : [message],
  };
  return { ...withAction(body), conditions: [condition] };
}

function withAction(body: Record<string, unknown>): Record<string, unknown> {
  return body.action === undefined ? body : { ...body, action: [body.action] };
}
