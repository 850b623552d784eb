import { subscribe } from "node:diagnostics_channel";

/**
 * Adds the current invocation to each request of this process, as tracing does on Lambda, so that the local
 * services know the sender. Only the local runtime does this; deployed code does not know of it.
 * @param {() => string | undefined} currentInvocation
 */
export function nameInvocation(currentInvocation) {
  subscribe("http.client.request.created", ({ request }) => {
    const invocation = currentInvocation();
    if (invocation !== undefined && !request.headersSent) request.setHeader(invocationHeader, invocation);
  });
}

const invocationHeader = "x-local-invocation";
