import { Empty } from "../../parts/empty.tsx";

export function UsersPart() {
  return <Empty title="Users" />;
}
