import type { ExplorerOperation } from "../../../api/explorer.ts";
import { CopyButton } from "../../parts/button.tsx";
import { type Group, isGroup, write } from "../../parts/json/field-types.ts";
import { JsonView } from "../../parts/json/json-input.tsx";
import { Pager } from "../../parts/list.tsx";
import { toHash } from "../../parts/route.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Badge, spanOf, Time } from "../../parts/texts.tsx";
import { endOf } from "../calls/calls-view.tsx";
import { reveal } from "./operation-form.tsx";
import { keyOfName, pathNames } from "./request.ts";

export interface Answer {
  readonly id: string;
  readonly status: number;
  readonly body: unknown;
  readonly durationMs: number;
}

interface AnswerProps {
  readonly operation: ExplorerOperation;
  readonly operations: readonly ExplorerOperation[];
  readonly answer: Answer;
  readonly kept: Readonly<Record<string, string>>;
  readonly onPage: (query: Readonly<Record<string, unknown>>) => void;
}

const mostColumns = 7;
const masked = /••••[\w-]{4,}/g;

export function AnswerPane(props: AnswerProps) {
  const { operation, answer } = props;
  const { status, body, durationMs } = answer;
  const end = endOf({ status, fault: undefined });
  const rows = operation.paged !== undefined && status < 300 ? rowsOf(body) : undefined;
  const json = <JsonView value={body} label="Response body" />;
  return (
    <>
      <p class="buttons" role="status">
        <Badge tone={end.tone}>{end.word}</Badge>
        <span class="number soft">{spanOf(durationMs)}</span>
        {answer.id !== operation.id && <span class="soft">{answer.id}</span>}
        {[...new Set(write(body).match(masked))].map((mask) => (
          <CopyButton key={mask} text={() => reveal({ mask })}>
            Copy {mask}
          </CopyButton>
        ))}
      </p>
      {rows === undefined ? (
        json
      ) : (
        <>
          {rows.length === 0 ? <p class="soft">The list is empty.</p> : <Rows {...props} rows={rows} />}
          <Pages {...props} rows={rows} />
          <details>
            <summary>JSON</summary>
            {json}
          </details>
        </>
      )}
    </>
  );
}

type RowsProps = AnswerProps & { readonly rows: readonly Group[] };

/** Rows lead to the operations on one of them. */
function Rows({ operation, operations, kept, rows }: RowsProps) {
  const own = operations.filter(
    ({ path, service }) =>
      service === operation.service &&
      /^\/\{\w+\}$/.test(path.slice(operation.path.length)) &&
      path.startsWith(operation.path),
  );
  const find = (...verbs: readonly string[]) => own.find(({ verb }) => verbs.includes(verb));
  const editor = find("PUT", "PATCH") ?? find("GET");
  const remover = find("DELETE");
  const idName = pathNames(own[0]?.path ?? "").at(-1) ?? "id";
  const linkTo = ({ id, path }: ExplorerOperation, row: Group) =>
    toHash("api", [id], { ...kept, [keyOfName(path, idName)]: idOf(row, idName) });
  const columns = columnsOf(rows, idName).map(
    (title, place): Column<Group> => ({
      title,
      ...(place > 1 && { class: "is-spare" }),
      cell: (row) =>
        place === 0 && editor !== undefined ? (
          <a href={linkTo(editor, row)}>{idOf(row, idName)}</a>
        ) : (
          cellOf(title, fieldOf(row, title))
        ),
    }),
  );
  if (remover !== undefined)
    columns.push({ title: "Actions", cell: (row) => <a href={linkTo(remover, row)}>Delete</a> });
  return (
    <Table
      label={operation.method}
      columns={columns}
      rows={rows}
      keyOf={(row) => String(rows.indexOf(row))}
    />
  );
}

function Pages({ operation, answer: { body }, rows, onPage }: RowsProps) {
  const { meta, cursor } = isGroup(body) ? body : {};
  const { pagination, next = cursor } = isGroup(meta) ? meta : {};
  if (operation.paged === "page" && isGroup(pagination)) {
    return (
      <Pager
        page={Number(pagination.current_page)}
        perPage={Number(pagination.per_page)}
        total={Number(pagination.total)}
        onPage={(page) => onPage({ page })}
      />
    );
  }
  if (operation.paged !== "cursor" || !isGroup(next) || rows.length === 0) return null;
  const names = operation.cursor ?? Object.fromEntries(Object.keys(next).map((name) => [name, name]));
  const query = Object.fromEntries(Object.entries(names).map(([from, to]) => [to, next[from]]));
  return (
    <nav class="buttons" aria-label="Pages">
      <button type="button" onClick={() => onPage(query)}>
        Next
      </button>
    </nav>
  );
}

function cellOf(name: string, value: unknown) {
  const at = Number(value);
  if (name.endsWith("At") && at > 0) return <Time ms={at > 1e11 ? at : at * 1_000} format="moment" />;
  return String(value ?? "");
}

function rowsOf(body: unknown): readonly Group[] | undefined {
  const data = isGroup(body) && "data" in body ? body.data : body;
  const list = isGroup(data) ? Object.values(data).find(Array.isArray) : data;
  return Array.isArray(list) ? list.map((row: unknown) => (isGroup(row) ? row : { value: row })) : undefined;
}

function columnsOf(rows: readonly Group[], idName: string): string[] {
  const shown = rows.slice(0, 20);
  const has = (name: string) => shown.some((row) => fieldOf(row, name) !== undefined);
  const plain = shown.flatMap((row) => Object.keys(row).filter((name) => typeof row[name] !== "object"));
  const first = ["name", "text"].filter(has);
  const others = plain.filter((name) => name !== "id" || has(idName));
  return [...new Set([idName, ...first, ...others])].slice(0, mostColumns);
}

function fieldOf(row: Group, name: string): unknown {
  const message = isGroup(row.message) ? row.message : row;
  return name === "text" && isGroup(message.data) ? message.data.text : row[name];
}

function idOf(row: Group, name: string) {
  const inner = isGroup(row.message) ? row.message.id : row.name;
  return String(row[name] ?? row.id ?? row.uid ?? inner ?? "");
}
