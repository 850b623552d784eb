import { Empty } from "../../parts/empty.tsx";

export function WorldView() {
  return <Empty title="World" />;
}
