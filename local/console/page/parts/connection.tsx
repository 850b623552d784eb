import { useConnected } from "./notices.ts";

export function Connection() {
  const isConnected = useConnected();
  return (
    <span class={`connection ${isConnected ? "is-live" : "is-lost"}`} role="status">
      <span class="dot" aria-hidden="true" />
      {isConnected ? "live" : "not connected"}
    </span>
  );
}
