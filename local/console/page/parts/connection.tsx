import { useConnected } from "./notices.ts";

export function Connection() {
  const isConnected = useConnected();
  return (
    <span class={`row small toned ${isConnected ? "is-good" : "is-bad"}`} role="status">
      {isConnected ? "live" : "not connected"}
    </span>
  );
}
