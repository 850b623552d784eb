import { Empty } from "../../parts/empty.tsx";

export function KeysPart() {
  return <Empty title="Keys" />;
}
