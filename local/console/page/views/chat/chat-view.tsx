import { Empty } from "../../parts/empty.tsx";

export function ChatView() {
  return <Empty title="Chat" />;
}
