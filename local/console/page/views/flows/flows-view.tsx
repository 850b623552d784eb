import { useRoute } from "../../parts/route.ts";
import { FlowList } from "./flow-list.tsx";
import { FlowPage } from "./flow-page.tsx";
import { StartFlow } from "./start-flow.tsx";
import "./flows.css";

export function FlowsView() {
  const { rest, query } = useRoute();
  const [id] = rest;
  if (id === "start")
    return <StartFlow wanted={query.get("flow") ?? undefined} appId={query.get("app") ?? undefined} />;
  return (
    <div class={id === undefined ? "split" : "split has-detail"}>
      <FlowList query={query} chosen={id} />
      {id !== undefined && <FlowPage key={id} id={id} query={query} />}
    </div>
  );
}
