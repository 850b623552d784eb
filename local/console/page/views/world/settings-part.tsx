import { Empty } from "../../parts/empty.tsx";

export function SettingsPart() {
  return <Empty title="Settings" />;
}
