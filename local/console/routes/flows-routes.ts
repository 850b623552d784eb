import type { Hono } from "hono";
import * as z from "zod/mini";
import { isRecord } from "../../../lib/base/json.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import { conditionsText } from "../../../lib/effects/outcomes.ts";
import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowCancelled, FlowDetail, FlowEventDraft, FlowKinds } from "../api/flows.ts";
import { appOf } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { fitEvent } from "../flows/event-for-wait.ts";
import { findValue } from "../flows/flow-values.ts";
import { listFlows } from "../flows/list-flows.ts";
import { createFlowActions } from "../flows/operate.ts";
import { readFlowKinds } from "../flows/read-kinds.ts";
import { requestOf, showFlow } from "../flows/show-flow.ts";
import { findStack } from "../log/pick-lines.ts";
import { readInput, WrongInputError } from "../read-input.ts";
import { listEntries } from "../try/list-entries.ts";
import { renewBody } from "../try/renew.ts";

/** `/api/flows` and `/api/flow-kinds`: those that run or ran, their values, and what can be done with them. */
export function addFlowsRoutes(app: Hono, { world, lines }: ConsoleContext): void {
  const { durable, serviceFolder } = world.cloud;
  const actions = createFlowActions(world);
  const path = "/api/flows/:id";
  const own = () => durable.peek().filter(({ functionName }) => functionName === actions.functionName);
  const find = (id: string): StoredExecution => {
    const found = own().find(({ name }) => name === id);
    if (found !== undefined) return found;
    const message = `There is no flow ${id}. An ended flow is kept for 14 days, until a reset.`;
    throw new WrongInputError(message, 404);
  };
  const show = async (execution: StoredExecution): Promise<FlowDetail> => {
    const detail = showFlow(execution, findStack(lines.lines, "flowId", execution.name));
    return { ...detail, waits: await withQuestions(execution, detail.waits, actions) };
  };

  addEventDrafts(app, world, find, show);
  app.get("/api/flows", (context) => context.json(listFlows(own(), context.req.query())));
  app.get(path, async (context) => context.json(await show(find(context.req.param("id")))));
  app.get(`${path}/values/:value`, (context) => {
    const { id, value } = context.req.param();
    const found = findValue(find(id), value);
    if (found === undefined) throw new WrongInputError(`Flow ${id} has no value "${value}".`, 404);
    return context.body(found, 200, { "content-type": "application/json; charset=utf-8" });
  });
  app.post(`${path}/fire`, async (context) => {
    const { operationId } = await readInput(context, fireSchema);
    const { arn, name } = find(context.req.param("id"));
    if (!durable.hasten(arn, operationId))
      throw new WrongInputError(`Flow ${name} no longer waits for that.`, 409);
    return context.json({});
  });
  app.post(`${path}/cancel`, async (context) => {
    const { reason = "" } = await readInput(context, cancelSchema);
    const { name } = find(context.req.param("id"));
    const why = reason.trim() === "" ? undefined : `Cancelled by hand: ${reason.trim()}`;
    return context.json<FlowCancelled>({ outcome: await actions.operator().cancel(name, why) });
  });
  app.get("/api/flow-kinds", async (context) => {
    const { kinds } = await readFlowKinds(serviceFolder);
    return context.json<FlowKinds>({ kinds });
  });
  app.post("/api/flows", async (context) => {
    const { flow, input, ...asked } = await readInput(context, startSchema);
    const { appId, region } = appOf(world, asked.appId);
    const { kinds, misfit } = await readFlowKinds(serviceFolder, { flow, input });
    const kind = kinds.find(({ name }) => name === flow);
    if (kind === undefined)
      throw new WrongInputError(`There is no flow "${flow}" in functions/own/flows.ts.`, 404);
    if (misfit !== undefined) throw new WrongInputError(`The input of flow "${flow}" is invalid: ${misfit}`);
    const { waitsFor } = kind;
    return context.json(await actions.start({ flow, appId, region, input, waitsFor }));
  });
}

function addEventDrafts(
  app: Hono,
  world: ConsoleContext["world"],
  find: (id: string) => StoredExecution,
  show: (execution: StoredExecution) => Promise<FlowDetail>,
): void {
  const entries = lazy(listEntries);
  app.get("/api/flows/:id/events/:operation", async (context) => {
    const { id, operation } = context.req.param();
    const execution = find(id);
    const event = (await show(execution)).waits.find((wait) => wait.operationId === operation)?.event;
    if (event === undefined) throw new WrongInputError(`Flow ${id} no longer waits for an event there.`, 409);
    if (!isRecord(event.where))
      throw new WrongInputError(`Flow ${id} is about to ask for it. Try again.`, 409);
    const entry = entries().find(event.trigger);
    const [sample] = entry?.bodies.values() ?? [];
    if (entry === undefined || sample === undefined) {
      throw new WrongInputError(
        `${event.trigger} is derived from other events and cannot be sent. Send those events (docs/events.md).`,
        409,
      );
    }
    const { appId, region } = appOf(world, requestOf(execution)?.appId ?? "");
    const fresh = renewBody(sample, { appId, region, nowMs: world.platform.clock.now() });
    return context.json<FlowEventDraft>({ entry: entry.id, ...fitEvent(fresh, event.where) });
  });
}

/** The events that it waits for are in the flows table. */
async function withQuestions(
  execution: StoredExecution,
  waits: FlowDetail["waits"],
  { openWaits }: ReturnType<typeof createFlowActions>,
): Promise<FlowDetail["waits"]> {
  const { appId, waitsFor = [] } = requestOf(execution) ?? {};
  if (appId === undefined || !waits.some(({ event }) => event !== undefined)) return waits;
  const open = await openWaits(appId, waitsFor, execution.name).catch(() => []);
  return waits.map((wait) => {
    const { CallbackDetails } = execution.operations.find(({ Id }) => Id === wait.operationId) ?? {};
    const question = open.find(({ callbackId }) => callbackId === CallbackDetails?.CallbackId);
    if (wait.event === undefined || question === undefined) return wait;
    const { where } = question;
    const conditions = isRecord(where) ? conditionsText(where) : "";
    return { ...wait, event: { ...wait.event, where, conditions } };
  });
}

const name = z.string().check(z.minLength(1), z.maxLength(200));
const startSchema = z.object({ flow: name, appId: name, input: z.unknown() });
const fireSchema = z.object({ operationId: z.optional(name) });
const cancelSchema = z.object({ reason: z.optional(z.string().check(z.maxLength(500))) });
