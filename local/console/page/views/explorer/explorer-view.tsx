import "../try/try.css";
import type { ExplorerFamily, ExplorerOperation } from "../../../api/explorer.ts";
import { EntryTree } from "../../parts/entry-tree.tsx";
import { useFacts } from "../../parts/facts.tsx";
import { toHash, useRoute } from "../../parts/route.ts";
import { Empty, Trouble } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { OperationPane } from "./operation-pane.tsx";

export function ExplorerView() {
  const { rest, query } = useRoute();
  const apps = useFacts()?.apps;
  const { value: families, error } = useResource<readonly ExplorerFamily[]>("/api/explorer", []);
  if (error !== undefined) return <Trouble error={error} />;
  if (families === undefined || apps === undefined) return <Empty title="Loading …" />;
  const operations = families.flatMap((family) => family.operations);
  const [id] = rest;
  const operation = operations.find((one) => one.id === id);
  return (
    <div class={operation === undefined ? "split" : "split has-detail"}>
      <EntryTree
        label="Operations"
        find="Find an operation"
        placeholder="ban, tool, /webhooks …"
        families={families.map(({ api, title, operations: own }) => ({
          ...{ group: api, title },
          entries: own.map(toEntry),
        }))}
        chosen={id}
        hrefOf={(own) => toHash("api", [own], Object.fromEntries(query))}
      />
      {operation === undefined ? (
        <div class="detail">
          <Empty title={id ? `“${id}” does not exist` : "Choose an operation"}>
            Lists are tables: open a row to change or delete it. Values of the path, such as a uid, are kept
            for the next operation.
          </Empty>
        </div>
      ) : (
        <OperationPane key={id} operation={operation} operations={operations} apps={apps} />
      )}
    </div>
  );
}

function toEntry({ id, verb, path, method, extension }: ExplorerOperation) {
  return { id, name: method.replace(/.*\./, ""), badge: extension, says: `${verb} ${path}` };
}
