import { subscribe } from "node:diagnostics_channel";

/**
 * Adds the invocation to requests to local services, as tracing does on Lambda.
 * @param {() => string
 * undefined} currentInvocation
 */
export function nameInvocation(currentInvocation) {
  subscribe("http.client.request.created", ({ request }) => {
    const invocation = currentInvocation();
    if (invocation !== undefined && !request.headersSent) request.setHeader(invocationHeader, invocation);
  });
}

const invocationHeader = "x-local-invocation";
