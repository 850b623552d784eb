import { Empty } from "../../parts/empty.tsx";

export function SecretsPart() {
  return <Empty title="Secrets" />;
}
