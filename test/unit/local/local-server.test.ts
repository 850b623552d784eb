import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { startLocalServer } from "../../../local/cloud/local-server.ts";

it("closes after running requests are answered, despite connections without a request", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] }); // no request is cut off
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const server = await startLocalServer(async (_request, response) => {
    arrived.resolve();
    await answer.promise;
    response.end("done");
  });
  const unused = connect(Number(new URL(server.url).port), "127.0.0.1");
  await once(unused, "connect");
  const asked = fetch(server.url);
  await arrived.promise;

  const closed = server.close();
  answer.resolve();

  expect(await (await asked).text()).toBe("done");
  await closed;
}, 20_000);
