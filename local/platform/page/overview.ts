import { html, raw } from "hono/html";
import type { Services } from "../services.ts";
import { type App, listApps } from "../store/apps.ts";
import { listAttempts, listDeliveries } from "../store/deliveries.ts";
import { type Message, selectMessages } from "../store/messages.ts";
import { entity } from "../store/row.ts";
import { isUser, type User } from "../store/users.ts";
import { listTriggerIds, listWebhooks } from "../store/webhooks.ts";
import { overviewScript, overviewStyle } from "./overview-assets.ts";

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
<style>${raw(overviewStyle)}</style>
</head>
<body>
<header><h1>Local chat platform</h1><p>Everything here lives on this machine. <span id="live" role="status"></span></p></header>
<main>${apps.map((app) => renderApp(services, app))}</main>
<script>${raw(overviewScript)}</script>
</body>
</html>`;
}

function renderApp(services: Services, app: App): Html {
  return html`<section aria-label="App ${app.appId}">
<h2>${app.name} <small>${app.appId} · ${app.region}</small></h2>
<div class="columns">
<div>${renderUsers(services, app)}${renderMessages(services, app)}</div>
<div>${renderWebhooks(services, app)}${renderDeliveries(services, app)}</div>
</div>
</section>`;
}

function renderUsers(services: Services, app: App): Html {
  const users = services.db
    .all("SELECT body FROM users WHERE app_id = ? ORDER BY uid LIMIT 50", app.appId)
    .map((row) => entity(row, "body", isUser));
  return html`<h3>Users</h3><ul class="chips">${users.map((user: User) => html`<li>${user.name} <small>${user.uid}</small></li>`)}</ul>`;
}

function renderMessages(services: Services, app: App): Html {
  const messages = selectMessages(services.db, {
    appId: app.appId,
    conditions: [{ sql: "category <> 'action'", values: [] }],
    newestFirst: true,
    limit: 30,
  }).reverse();
  if (messages.length === 0) return html`<h3>Messages</h3><p class="empty">No message yet.</p>`;
  return html`<h3>Messages</h3><ol class="conversation">${messages.map((message) => renderMessage(services, message))}</ol>`;
}

function renderMessage(services: Services, message: Message): Html {
  const { text } = message.data;
  const content =
    message.deletedAt !== undefined ? "(deleted)" : typeof text === "string" ? text : `(${message.type})`;
  const edited = message.editedAt === undefined ? "" : " · edited";
  return html`<li><b>${message.sender}</b> <small>to ${message.receiver} · ${clockTime(message.sentAt * 1_000)}${edited}</small><p>${services.redactor.text(content)}</p></li>`;
}

function renderWebhooks(services: Services, app: App): Html {
  const webhooks = [...listWebhooks(services.db, app.appId, 2), ...listWebhooks(services.db, app.appId, 1)];
  if (webhooks.length === 0) return html`<h3>Webhooks</h3><p class="empty">No webhook yet.</p>`;
  return html`<h3>Webhooks</h3><ul>${webhooks.map((webhook) => {
    const triggers = listTriggerIds(services.db, app.appId, webhook.generation, webhook.id);
    const traits = [
      webhook.enabled ? "enabled" : "disabled",
      webhook.retryOnFailure ? "retries" : "no retries",
      ...(webhook.generation === 1 ? ["legacy"] : []),
    ].join(", ");
    return html`<li><b>${webhook.name}</b> <small>${traits}</small><p><code>${showUrl(services, webhook.url)}</code></p><p>${triggers.join(", ")}</p></li>`;
  })}</ul>`;
}

function renderDeliveries(services: Services, app: App): Html {
  const deliveries = listDeliveries(services.db, app.appId, 30);
  if (deliveries.length === 0) return html`<h3>Deliveries</h3><p class="empty">No delivery yet.</p>`;
  return html`<h3>Deliveries</h3><table><thead><tr><th>Event</th><th>To</th><th>State</th><th>Attempts</th></tr></thead><tbody>${deliveries.map(
    (delivery) =>
      html`<tr><td>${delivery.trigger} <small>#${delivery.id}</small></td><td>${delivery.webhookId}</td><td class="${delivery.state}">${delivery.state}</td><td>${listAttempts(
        services.db,
        delivery.id,
      ).map(
        (attempt) =>
          html`<div>${clockTime(attempt.atMs)} · ${attempt.status ?? "no answer"} · ${attempt.durationMs.toFixed(1)} ms${attempt.error === undefined ? "" : html` · ${services.redactor.text(attempt.error)}`}</div>`,
      )}</td></tr>`,
  )}</tbody></table>`;
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
