import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OutsideRequest } from "../../../../lib/effects/http/outside.ts";
import { RequestFailedError, RequestNotAllowedError } from "../../../../lib/effects/http/outside-errors.ts";
import { readPlaces } from "../../../../lib/effects/http/places.ts";
import { createIsOpenAddress, type IsOpenAddress } from "../../../../lib/effects/http/public-address.ts";
import { createSendOutside, maxAnswerBytes } from "../../../../lib/effects/http/send-outside.ts";
import { createSelfSigned } from "../../../helpers/self-signed.ts";

const host = "tickets.example.com";
const identity = createSelfSigned([host]);
const limits = { timeoutMs: 5_000, signal: undefined };
const loopback = createIsOpenAddress(["127.0.0.1"]);
const at = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

/** A host outside, and what sends to it. `resolve` gives its addresses. */
async function createHost(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  {
    resolve = async () => at("127.0.0.1"),
    isOpenAddress = loopback,
    ca = identity.cert,
    name = host,
  }: {
    resolve?: (hostname: string) => Promise<{ address: string; family: number }[]>;
    isOpenAddress?: IsOpenAddress;
    ca?: string;
    name?: string;
  } = {},
) {
  const heard: { line: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  let connections = 0;
  const server = createServer({ ...identity }, async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    heard.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    answer(request, response, body);
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = createSendOutside({ isOpenAddress, resolve, ca });
  const request = (more: Partial<OutsideRequest> = {}): OutsideRequest => ({
    method: "POST",
    url: new URL(`https://${name}:${port}/new?of=x`),
    headers: {},
    body: undefined,
    wantsBody: true,
    ...more,
  });
  return { send, request, heard, connections: () => connections, port };
}

const json = (value: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));

describe("createSendOutside", () => {
  it("sends method, path, headers and body, and gives status, headers and text", async () => {
    const { send, request, heard, port } = await createHost((_request, response) =>
      response.writeHead(201, { "Retry-After": "7" }).end("{}"),
    );

    const answer = await send(request({ headers: { "x-own": "1" }, body: '{"a":"ü"}' }), limits);

    expect([answer.status, answer.text, answer.headers.get("retry-after"), answer.headers.get("x")]).toEqual([
      201,
      "{}",
      "7",
      null,
    ]);
    expect(heard).toEqual([
      {
        line: "POST /new?of=x",
        headers: expect.objectContaining({
          host: `${host}:${port}`,
          "x-own": "1",
          "accept-encoding": "identity",
          "content-length": "10",
        }),
        body: '{"a":"ü"}',
      },
    ]);
  });

  it("finds a host at the place that is named for it, by its own name and only if the address is open", async () => {
    const { heard, port } = await createHost(json({}));
    const placeOf = readPlaces([`${host}=127.0.0.1:${port}`, "desk.example.com=[::1]:8443"]);
    const request = {
      method: "GET",
      url: new URL(`https://${host}/`),
      headers: {},
      body: undefined,
      wantsBody: false,
    } as const;
    const ca = identity.cert;

    expect(await createSendOutside({ isOpenAddress: loopback, placeOf, ca })(request, limits)).toMatchObject({
      status: 200,
    });
    expect(heard.map(({ headers }) => headers.host)).toEqual([host]);
    const isOpenAddress = createIsOpenAddress([]);
    await expect(createSendOutside({ isOpenAddress, placeOf, ca })(request, limits)).rejects.toThrow(
      RequestNotAllowedError,
    );
    expect(placeOf("desk.example.com")).toEqual({ address: "::1", port: 8443 });
  });

  it.each([
    "desk.example.com",
    "desk.example.com=",
    "desk.example.com=10.1.2.3",
    "desk.example.com=other:1",
    "=10.1.2.3:1",
    "a=1.2.3:4",
  ])("refuses the place %s", (text) => {
    expect(() => readPlaces([text])).toThrow(/no place/);
  });

  it("follows no redirect", async () => {
    const { send, request, connections } = await createHost((_request, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
    );

    expect(await send(request(), limits)).toMatchObject({ status: 302, text: undefined });
    expect(connections()).toBe(1);
  });

  it.each([["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["::1"], ["::ffff:127.0.0.1"]])(
    "connects to nothing where the name leads to %s",
    async (address) => {
      const world = await createHost(json({}), {
        isOpenAddress: createIsOpenAddress([]),
        resolve: async () => at(address),
      });

      await expect(world.send(world.request(), limits)).rejects.toThrow(RequestNotAllowedError);
      expect(world.connections()).toBe(0);
    },
  );

  it("takes the open ones of several addresses", async () => {
    const { send, request, heard } = await createHost(json({}), {
      resolve: async () => at("127.0.0.2", "169.254.169.254", "127.0.0.1"),
    });

    expect(await send(request(), limits)).toMatchObject({ status: 200 });
    expect(heard).toHaveLength(1);
  });

  it("asks for the addresses once, so that a name which changes them gains nothing", async () => {
    let asked = 0;
    const { send, request } = await createHost(json({}), {
      resolve: async () => {
        asked += 1;
        return at(asked === 1 ? "127.0.0.1" : "169.254.169.254");
      },
    });

    await send(request(), limits);

    expect(asked).toBe(1);
  });

  it("says nothing to an address that was taken for open and is not, once it is connected", async () => {
    let judged = 0;
    const { send, request, heard } = await createHost(json({}), {
      isOpenAddress: (address) => {
        judged += 1;
        return judged === 1 && loopback(address);
      },
    });

    await expect(send(request({ body: "a secret" }), limits)).rejects.toThrow(RequestNotAllowedError);
    expect(heard).toEqual([]);
  });

  it("says nothing to an address that stands in the URL itself", async () => {
    const world = await createHost(json({}), { isOpenAddress: createIsOpenAddress([]), name: "127.0.0.1" });

    await expect(world.send(world.request(), limits)).rejects.toThrow(RequestNotAllowedError);
    expect(world.heard).toEqual([]);
  });

  it("says nothing to a host that cannot prove its name", async () => {
    const stranger = await createHost(json({}), { ca: createSelfSigned([host]).cert });
    const other = await createHost(json({}), { name: "desk.example.com" });

    for (const { send, request, heard } of [stranger, other]) {
      const failure = send(request(), limits);
      await expect(failure).rejects.toThrow(RequestFailedError);
      await expect(failure).rejects.toMatchObject({ maybeExecuted: false });
      expect(heard).toEqual([]);
    }
  });

  it.each([
    ["larger than is kept", {}, Buffer.alloc(maxAnswerBytes + 1, "a")],
    ["packed", { "content-encoding": "gzip" }, gzipSync("{}")],
  ])("gives no text of a body that is %s", async (_case, headers, body) => {
    const { send, request } = await createHost((_request, response) =>
      response.writeHead(200, headers).end(body),
    );

    expect(await send(request(), limits)).toMatchObject({ status: 200, text: undefined });
  });

  it.each<[string, Record<string, string>, string]>([
    ["that says in capitals that it is not packed", { "content-encoding": "Identity" }, '{"a":"é"}'],
    ["that begins with a mark of its byte order", {}, '\uFEFF{"a":"é"}'],
  ])("reads a body %s", async (_case, headers, body) => {
    const { send, request } = await createHost((_request, response) =>
      response.writeHead(200, headers).end(body),
    );

    expect(await send(request(), limits)).toMatchObject({ text: '{"a":"é"}' });
  });

  it("takes an answer that breaks off for none", async () => {
    const { send, request } = await createHost((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"a":1}');
      setImmediate(() => response.destroy());
    });

    await expect(send(request(), limits)).rejects.toMatchObject({ maybeExecuted: true });
  });

  it("reads a body of the largest size", async () => {
    const { send, request } = await createHost((_request, response) =>
      response.end(Buffer.alloc(maxAnswerBytes, "a")),
    );

    expect((await send(request(), limits)).text).toHaveLength(maxAnswerBytes);
  });

  it("reads no body that nobody asked for, nor that of a refusal", async () => {
    const { send, request } = await createHost((asked, response) => {
      response.writeHead(asked.headers["x-status"] === "500" ? 500 : 200);
      response.write("the rest never comes");
    });

    expect(await send(request({ wantsBody: false }), limits)).toMatchObject({ status: 200, text: undefined });
    expect(await send(request({ headers: { "x-status": "500" } }), limits)).toMatchObject({ status: 500 });
  });

  it.each([
    ["no answer", () => undefined],
    [
      "an answer that drips",
      (_request: IncomingMessage, response: ServerResponse) => void response.write("a"),
    ],
  ])("ends a request whose time is up: %s", async (_case, answer) => {
    const { send, request, heard } = await createHost(answer);
    // What a busy machine has not even sent by then was no request, and gets more time.
    const ask = async (timeoutMs: number): Promise<unknown> => {
      const outcome = await send(request(), { timeoutMs, signal: undefined }).catch((error) => error);
      return heard.length > 0 ? outcome : ask(2 * timeoutMs);
    };

    expect(await ask(500)).toMatchObject({ reason: "TIMEOUT", maybeExecuted: true });
  });

  it("ends while the name is still looked up, and that is no request", async () => {
    const { send, request } = await createHost(json({}), { resolve: () => new Promise(() => {}) });

    await expect(send(request(), { timeoutMs: 20, signal: undefined })).rejects.toMatchObject({
      reason: "TIMEOUT",
      maybeExecuted: false,
    });
  });

  it("tells a request that may have been carried out from one that was not", async () => {
    const broken = await createHost((request) => void request.socket.destroy());
    const half = await createHost((request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => request.socket.destroy());
    });
    const nobody = await createHost(json({}), {
      resolve: async () => {
        throw Object.assign(new Error("getaddrinfo ENOTFOUND tickets.example.com"), { code: "ENOTFOUND" });
      },
    });

    const outcomes = await Promise.all(
      [broken, half, nobody].map(({ send, request }) => send(request(), limits).catch((error) => error)),
    );

    expect(outcomes.map(({ name, maybeExecuted }) => [name, maybeExecuted])).toEqual([
      ["RequestFailedError", true],
      ["RequestFailedError", true],
      ["RequestFailedError", false],
    ]);
  });

  it("ends with the reason of whoever gives it up", async () => {
    const controller = new AbortController();
    const { send, request } = await createHost(() => controller.abort(new Error("given up")));

    await expect(send(request(), { timeoutMs: 5_000, signal: controller.signal })).rejects.toThrow(
      "given up",
    );
    await expect(send(request(), { timeoutMs: 5_000, signal: controller.signal })).rejects.toThrow(
      "given up",
    );
  });

  it("ends where the host changes the protocol", async () => {
    const { send, request } = await createHost((asked) => {
      asked.socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
    });

    await expect(send(request(), limits)).rejects.toThrow(RequestFailedError);
  });

  it("names method and host in its errors, and nothing else", async () => {
    const { send, request } = await createHost((asked) => void asked.socket.destroy());

    const failure = send(request({ headers: { authorization: "Bearer abc" }, body: "text" }), limits);

    await expect(failure).rejects.toThrow(
      /^POST tickets\.example\.com:\d+ failed: [A-Z_]+\. It may have been carried out\.$/,
    );
  });
});
