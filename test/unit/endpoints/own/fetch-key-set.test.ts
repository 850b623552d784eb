import { once } from "node:events";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createFetchKeySet,
  KeySetUnavailableError,
} from "../../../../lib/endpoints/own/jwt/fetch-key-set.ts";
import { createKeySet, unknownKeyPauseMs } from "../../../../lib/endpoints/own/jwt.ts";
import { createSelfSigned } from "../../../helpers/self-signed.ts";

const certificate = createSelfSigned(["localhost"]);

describe("createFetchKeySet", () => {
  it("fetches the text of a key set", async () => {
    const { url, fetchKeySet } = await startIssuer((request, response) => {
      const { accept, "user-agent": agent } = request.headers;
      response.end(JSON.stringify({ keys: [], asked: `${request.method} ${request.url}`, accept, agent }));
    });

    expect(JSON.parse(await fetchKeySet(`${url}/jwks.json?v=1`, soon()))).toEqual({
      keys: [],
      asked: "GET /jwks.json?v=1",
      accept: "application/json",
      agent: expect.stringMatching(/^cometchat-functions\//),
    });
  });

  it.each([204, 302, 500])("refuses an answer of status %i", async (status) => {
    const { url, fetchKeySet } = await startIssuer((_request, response) => {
      response.writeHead(status).end();
    });

    await expect(fetchKeySet(url, soon())).rejects.toThrow(`was answered with status ${status}`);
  });

  it("refuses a connection without TLS", async () => {
    let isAsked = false;
    const server = createPlainServer((_request, response) => {
      isAsked = true;
      response.end("{}");
    });
    const port = await listen(server);

    const answer = createFetchKeySet({ now: Date.now })(`http://localhost:${port}`, soon());

    await expect(answer).rejects.toThrow("is not fetched without TLS");
    expect(isAsked).toBe(false);
  });

  it("refuses more than 64 KiB, with or without a content length", async () => {
    const { url, fetchKeySet } = await startIssuer((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
        response.once("drain", more);
      };
      more();
    });

    await expect(fetchKeySet(url, soon())).rejects.toThrow("has more than 65536 bytes");
  });

  it("gives up on a host that never answers", async () => {
    const { url, fetchKeySet } = await startIssuer(() => {});

    const answer = fetchKeySet(url, Date.now() + 200);

    await expect(answer).rejects.toThrow("cannot be fetched (TIMEOUT)");
    await expect(answer).rejects.toBeInstanceOf(KeySetUnavailableError);
  });
});

function soon() {
  return Date.now() + 60_000;
}

async function startIssuer(listener: RequestListener) {
  const port = await listen(createServer(certificate, listener));
  return {
    url: `https://localhost:${port}`,
    fetchKeySet: createFetchKeySet({ now: Date.now, ca: certificate.cert }),
  };
}

async function listen(server: Server & { closeAllConnections(): void }) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return port;
}

it("createKeySet gives a slow issuer the same time for its next set as for its first", async () => {
  let nowMs = 1_000_000;
  const allowedMs: number[] = [];
  const fetchKeySet = async (_url: string, deadlineMs: number) => {
    allowedMs.push(deadlineMs - nowMs);
    return '{"keys":[]}';
  };
  const keySet = createKeySet("https://login.example.com/jwks.json", fetchKeySet, () => nowMs);
  const deadlineMs = () => nowMs + 9_000;

  await keySet.get(deadlineMs());
  nowMs += 600_000;
  await keySet.get(deadlineMs());
  nowMs += unknownKeyPauseMs;
  await keySet.refresh(unknownKeyPauseMs, deadlineMs());

  // lib/endpoints/own/jwt/fetch-key-set.ts waits for 3 s: a slow issuer must not keep old keys valid.
  expect(allowedMs.map((ms) => ms >= 3_000)).toEqual([true, true, true]);
});
