import { html, raw } from "hono/html";
import type { Services } from "../services/services.ts";
import { type App, listApps } from "../store/apps.ts";
import { type Delivery, listAttempts, listDeliveries } from "../store/deliveries.ts";
import { activeEngine } from "../store/engine.ts";
import { isNoAction } from "../store/message-conditions.ts";
import { type Message, selectMessages } from "../store/messages.ts";
import { listFirstUsers } from "../store/user-lists.ts";
import type { User } from "../store/users.ts";
import { listTriggerIds, listWebhooks } from "../store/webhooks.ts";
import { overviewScript } from "./overview-script.ts";
import { pageStyle } from "./page-style.ts";

type Html = ReturnType<typeof html>;

/** Renders the overview: apps with users, recent messages, webhooks and recent deliveries. Everything is escaped. */
export function renderOverview(services: Services): Html {
  const apps = listApps(services.db);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local chat platform</title>
<link rel="icon" href="data:,">
<style>${raw(pageStyle)}</style>
</head>
<body>
<header class="top"><h1>Local chat platform</h1><nav><a href="/_platform/fidelity">Fidelity</a></nav><p>Everything here lives on this machine; times are UTC. <span id="live" role="status"></span></p></header>
<main>${apps.map((app) => renderApp(services, app))}</main>
<script>${raw(overviewScript)}</script>
</body>
</html>`;
}

function renderApp(services: Services, app: App): Html {
  const engine = activeEngine(services.db, app.appId) === 1 ? "legacy webhooks" : "current webhooks";
  return html`<section aria-label="App ${app.appId}">
<h2>${app.name} <small>${app.appId} · ${app.region} · ${engine}</small></h2>
<div class="columns">
<div class="card">${renderUsers(services, app)}${renderMessages(services, app)}</div>
<div class="card">${renderWebhooks(services, app)}${renderDeliveries(services, app)}</div>
</div>
</section>`;
}

function renderUsers(services: Services, app: App): Html {
  const users = listFirstUsers(services.db, app.appId, 50);
  return html`<h3>Users</h3><ul class="chips">${users.map(renderUser)}</ul>`;
}

function renderUser(user: User): Html {
  const isOnline = user.status === "available" || user.status === "online";
  return html`<li><span class="dot${isOnline ? " on" : ""}" title="${isOnline ? "online" : "offline"}"></span>${user.name} <small>${user.uid}</small></li>`;
}

function renderMessages(services: Services, app: App): Html {
  const messages = selectMessages(services.db, {
    appId: app.appId,
    conditions: [isNoAction()],
    newestFirst: true,
    limit: 30,
  }).reverse();
  if (messages.length === 0) return html`<h3>Messages</h3><p class="empty">No message yet.</p>`;
  return html`<h3>Messages</h3><ol class="conversation">${messages.map((message) => renderMessage(services, message))}</ol>`;
}

function renderMessage(services: Services, message: Message): Html {
  const edited = message.editedAt === undefined ? "" : " · edited";
  const style = message.category === "message" && message.deletedAt === undefined ? "" : "call";
  return html`<li><b>${message.sender}</b> <small>to ${message.receiver} · ${clockTime(message.sentAt * 1_000)}${edited}</small><p class="${style}">${services.redactor.text(contentOf(message))}</p></li>`;
}

function contentOf({ category, type, data, deletedAt }: Message): string {
  if (deletedAt !== undefined) return "deleted";
  if (category === "call") return `${type} call, ${String(data.action)}`;
  return typeof data.text === "string" ? data.text : `${type} message`;
}

function renderWebhooks(services: Services, app: App): Html {
  const webhooks = [...listWebhooks(services.db, app.appId, 2), ...listWebhooks(services.db, app.appId, 1)];
  if (webhooks.length === 0) return html`<h3>Webhooks</h3><p class="empty">No webhook yet.</p>`;
  return html`<h3>Webhooks</h3><ul class="webhooks">${webhooks.map((webhook) => {
    const triggers = listTriggerIds(services.db, app.appId, webhook.generation, webhook.id);
    const traits = [
      webhook.enabled ? "enabled" : "disabled",
      webhook.retryOnFailure ? "retries" : "no retries",
      ...(webhook.generation === 1 ? ["legacy"] : []),
    ].join(", ");
    return html`<li><b>${webhook.name}</b> <small>${traits}</small><p><code>${showUrl(services, webhook.url)}</code></p>${
      triggers.length === 0
        ? html`<p class="empty">Subscribed to nothing.</p>`
        : html`<ul class="triggers">${triggers.map((trigger) => html`<li>${trigger}</li>`)}</ul>`
    }</li>`;
  })}</ul>`;
}

function renderDeliveries(services: Services, app: App): Html {
  const deliveries = listDeliveries(services.db, app.appId, 30);
  if (deliveries.length === 0) return html`<h3>Deliveries</h3><p class="empty">No delivery yet.</p>`;
  return html`<h3>Deliveries</h3><div class="scroll"><table><thead><tr><th scope="col">Event</th><th scope="col">To</th><th scope="col">State</th><th scope="col">Attempts</th></tr></thead><tbody>${deliveries.map(
    (delivery) => renderDelivery(services, delivery),
  )}</tbody></table></div>`;
}

function renderDelivery(services: Services, delivery: Delivery): Html {
  const attempts = listAttempts(services.db, delivery.id);
  return html`<tr><td><code>${breakable(delivery.trigger)}</code> <small>#${delivery.id}</small></td><td>${delivery.webhookId}</td><td><span class="badge ${delivery.state}">${delivery.state}</span></td><td>${attempts.map(
    (attempt) =>
      html`<div><span class="when">${clockTime(attempt.atMs)} · ${attempt.status ?? "no answer"} · ${attempt.durationMs.toFixed(1)} ms</span>${attempt.status !== undefined || attempt.error === undefined ? "" : html` <span class="reason">· ${services.redactor.text(attempt.error)}</span>`}</div>`,
  )}</td></tr>`;
}

// Lets a long name break behind its underscores instead of anywhere.
function breakable(name: string): Html[] {
  return name.split("_").map((part, index) => html`${index === 0 ? "" : html`_<wbr>`}${part}`);
}

function clockTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

// Credentials inside an address are nobody's business here.
function showUrl(services: Services, address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return services.redactor.text(url.href);
}
