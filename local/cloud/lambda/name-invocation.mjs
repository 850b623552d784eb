import { subscribe } from "node:diagnostics_channel";

/**
 * Lets each request of this process name the invocation that it is made in, as tracing does on Lambda: the local services tell by it
 * who sent what. Only the local runtime adds it; deployed code knows nothing of it.
 * @param {() => string | undefined} currentInvocation
 */
export function nameInvocation(currentInvocation) {
  subscribe("http.client.request.created", ({ request }) => {
    const invocation = currentInvocation();
    if (invocation !== undefined && !request.headersSent) request.setHeader(invocationHeader, invocation);
  });
}

const invocationHeader = "x-local-invocation";
