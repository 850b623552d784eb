import { getEventListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { withResolvers } from "../../../../lib/base/on-node-20.ts";
import { RequestNotAllowedError } from "../../../../lib/effects/effect-errors.ts";
import type { OutsideRequest, SendOutside } from "../../../../lib/effects/http/outside.ts";
import { createIsOpenAddress } from "../../../../lib/effects/http/public-address.ts";
import {
  createSendOutside,
  maxAnswerBytes,
  readPlaces,
  type SendOutsideOptions,
} from "../../../../lib/effects/http/send-outside.ts";
import { createSelfSigned } from "../../../helpers/self-signed.ts";

const host = "tickets.example.com";
const identity = createSelfSigned([host, "localhost"]);
const limits: Parameters<SendOutside>[1] = { timeoutMs: 5_000, signal: undefined };
const largest = "a".repeat(maxAnswerBytes);
const loopback = createIsOpenAddress(["127.0.0.1"]);
const at = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

/** An outside host, and its sender. `resolve` returns its addresses. */
async function createHost(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  { name = host, ...options }: Partial<SendOutsideOptions> & { name?: string } = {},
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
  const ask = (more: Partial<OutsideRequest> = {}, within: Partial<typeof limits> = {}, of: object = {}) => {
    const defaults = { resolve: async () => at("127.0.0.1"), isOpenAddress: loopback, ca: identity.cert };
    const send = createSendOutside({ ...defaults, ...options, ...of });
    const url = new URL(`https://${name}:${port}/new?of=x`);
    const request = { method: "POST", url, headers: {}, body: undefined, wantsBody: true, ...more } as const;
    return send(request, { ...limits, ...within });
  };
  return { ask, heard, connections: () => connections, port };
}

type Answer = Parameters<typeof createHost>[0];
const answers =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = "{}"): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);
describe("createSendOutside", () => {
  it("sends method, path, headers and body, and returns status, headers and text", async () => {
    const { ask, heard, port } = await createHost(answers(201, { "Retry-After": "7" }));

    const answer = await ask({ headers: { "x-own": "1" }, body: '{"a":"ü"}' });

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

  it.each([
    [{}, expect.stringMatching(/^cometchat-functions\//)],
    [{ "user-agent": "shop/1" }, "shop/1"],
  ])("names itself unless the request does: %o", async (headers, agent) => {
    const { ask, heard } = await createHost(answers(200));

    await ask({ headers });

    expect(heard.map(({ headers }) => headers["user-agent"])).toEqual([agent]);
  });

  it("joins a repeated header, and returns null for an empty one", async () => {
    const { ask } = await createHost((_request, response) => {
      response.writeHead(200, { "Set-Cookie": ["a=1", "b=2"], "x-empty": "" }).end();
    });

    const { headers } = await ask();

    expect([headers.get("set-cookie"), headers.get("x-empty")]).toEqual(["a=1, b=2", null]);
  });

  it("sends the length of a DELETE's body, which a host would otherwise not read", async () => {
    const { ask, heard } = await createHost(answers(200));

    await ask({ method: "DELETE", body: "ü" });

    expect(heard).toMatchObject([{ headers: { "content-length": "2" }, body: "ü" }]);
  });

  it("looks a host up by Node's default", async () => {
    const { ask } = await createHost(answers(200), { name: "localhost" });

    expect(await ask({}, {}, { resolve: undefined })).toMatchObject({ status: 200 });
  });

  it("connects without Node's automatic choice of the address family", async () => {
    const before = getDefaultAutoSelectFamily();
    onTestFinished(() => setDefaultAutoSelectFamily(before));
    setDefaultAutoSelectFamily(false);
    const { ask } = await createHost(answers(200), { resolve: async () => at("10.0.0.1", "127.0.0.1") });

    expect(await ask()).toMatchObject({ status: 200 });
  });

  it("does not look up an IPv6 address in a URL", async () => {
    const asked: string[] = [];
    const { ask } = await createHost(answers(200), {
      name: "[::1]",
      resolve: async (name) => {
        asked.push(name);
        return [];
      },
    });

    await expect(ask()).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it("connects to the place set for a host, by the host's name and only if the address is open", async () => {
    const { ask, heard, port } = await createHost(answers(200));
    const placeOf = readPlaces([`${host}=127.0.0.1:${port}`]);
    const url = new URL(`https://${host}/`);
    const resolve = undefined;

    expect(await ask({ url }, {}, { placeOf, resolve })).toMatchObject({ status: 200 });
    expect(heard.map(({ headers }) => headers.host)).toEqual([host]);
    const isOpenAddress = createIsOpenAddress([]);
    await expect(ask({ url }, {}, { placeOf, resolve, isOpenAddress })).rejects.toThrow(
      RequestNotAllowedError,
    );
  });

  it("follows no redirect", async () => {
    const { ask, connections } = await createHost(
      answers(302, { location: "http://169.254.169.254/latest/meta-data/" }, ""),
    );

    expect(await ask()).toMatchObject({ status: 302, text: undefined });
    expect(connections()).toBe(1);
  });

  it.each(["169.254.169.254", "::1"])("does not connect if the name resolves to %s", async (address) => {
    const { ask, connections } = await createHost(answers(200), {
      isOpenAddress: createIsOpenAddress([]),
      resolve: async () => at(address),
    });

    await expect(ask()).rejects.toThrow(
      /^The request was not made: POST tickets\.example\.com:\d+ leads to an address that is not public\./,
    );
    expect(connections()).toBe(0);
  });

  it("uses only the open ones of several addresses", async () => {
    const { ask, heard } = await createHost(answers(200), {
      resolve: async () => at("127.0.0.2", "169.254.169.254", "127.0.0.1"),
    });

    expect(await ask()).toMatchObject({ status: 200 });
    expect(heard).toHaveLength(1);
  });

  it("looks up the addresses once, so that a name that changes them gains nothing", async () => {
    let asked = 0;
    const { ask } = await createHost(answers(200), {
      resolve: async () => at(++asked === 1 ? "127.0.0.1" : "169.254.169.254"),
    });

    await ask();

    expect(asked).toBe(1);
  });

  it("sends nothing to an address that proves not open once it is connected", async () => {
    let judged = 0;
    const { ask, heard } = await createHost(answers(200), {
      isOpenAddress: (address) => ++judged === 1 && loopback(address),
    });

    await expect(ask({ body: "a secret" })).rejects.toThrow(RequestNotAllowedError);
    expect(heard).toEqual([]);
  });

  it("sends nothing to a closed address in the URL itself", async () => {
    const { ask, heard } = await createHost(answers(200), {
      isOpenAddress: createIsOpenAddress([]),
      name: "127.0.0.1",
    });

    await expect(ask()).rejects.toThrow(RequestNotAllowedError);
    expect(heard).toEqual([]);
  });

  it("sends nothing to a host that cannot prove its name", async () => {
    const stranger = await createHost(answers(200), { ca: createSelfSigned([host]).cert });
    const other = await createHost(answers(200), { name: "desk.example.com" });

    for (const { ask, heard } of [stranger, other]) {
      const failure = ask();
      await expect(failure).rejects.toMatchObject({ name: "RequestFailedError", maybeExecuted: false });
      expect(heard).toEqual([]);
    }
  });

  it.each<[string, Record<string, string>, string | Buffer, string | undefined]>([
    ["returns no text of a body above the maximum size", {}, largest.concat("a"), undefined],
    ["returns no text of a compressed body", { "content-encoding": "gzip" }, gzipSync("{}"), undefined],
    ["reads a body of the largest size", {}, largest, largest],
    [
      "reads a body whose encoding is Identity in capitals",
      { "content-encoding": "Identity" },
      '{"a":"é"}',
      '{"a":"é"}',
    ],
    ["reads a body with a byte order mark", {}, '\uFEFF{"a":"é"}', '{"a":"é"}'],
  ])("%s", async (_what, headers, body, text) => {
    const { ask } = await createHost(answers(200, headers, body));

    expect(await ask()).toMatchObject({ status: 200, text });
  });

  it.each([
    [200, false],
    [300, true],
    [500, true],
  ])("reads no unwanted body, and none without a 2xx status: %i, wanted %s", async (status, wantsBody) => {
    const { promise: closed, resolve } = withResolvers<void>();
    const { ask } = await createHost((_request, response) => {
      response.on("close", resolve);
      response.writeHead(status);
      response.write("the rest never comes");
    });

    expect(await ask({ wantsBody })).toMatchObject({ status, text: undefined });
    await closed;
  });

  it.each<[string, Answer]>([
    ["no answer", () => undefined],
    ["an answer that drips", (_request, response) => void response.write("a")],
  ])("ends a request whose time is up: %s", async (_case, answer) => {
    const { ask, heard } = await createHost(answer);
    // If a busy machine has not sent it by then, it gets more time.
    const insist = async (timeoutMs: number): Promise<unknown> => {
      const outcome = await ask({}, { timeoutMs }).catch((error) => error);
      return heard.length > 0 ? outcome : insist(2 * timeoutMs);
    };

    expect(await insist(500)).toMatchObject({ reason: "TIMEOUT", maybeExecuted: true });
  });

  it("ends during the lookup of the name, and reports that nothing was sent", async () => {
    const { ask } = await createHost(answers(200), { resolve: () => new Promise(() => {}) });

    await expect(ask({}, { timeoutMs: 20 })).rejects.toMatchObject({
      reason: "TIMEOUT",
      maybeExecuted: false,
    });
  });

  it("reports that a request may have been carried out if its connection breaks", async () => {
    const broken = await createHost(({ socket }) => void socket.destroy());
    const half = await createHost((request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => request.socket.destroy());
    });

    const outcomes = await Promise.all([broken, half].map(({ ask }) => ask().catch((error) => error)));

    const outcome = { name: "RequestFailedError", maybeExecuted: true };
    expect(outcomes).toMatchObject([outcome, outcome]);
  });

  it.each([
    ["ENOTFOUND", "ENOTFOUND"],
    ["ERR_SSL_1", "ERR_SSL_1"],
    [`E${"N".repeat(60)}`, `E${"N".repeat(60)}`],
    [`E${"N".repeat(61)}`, "NETWORK"],
    [`no ${host}`, "NETWORK"],
    [undefined, "NETWORK"],
    [["EACCES"], "NETWORK"],
  ])("reports the code %s of a failed lookup as %s, and no other text", async (code, reason) => {
    const failure = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code });
    const { ask } = await createHost(answers(200), { resolve: () => Promise.reject(failure) });

    await expect(ask()).rejects.toMatchObject({ reason, maybeExecuted: false });
  });

  it("ends with the caller's abort reason", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const { ask } = await createHost(() => controller.abort(new Error("given up")));

    await expect(ask({}, { signal })).rejects.toThrow("given up");
    await expect(ask({}, { signal })).rejects.toThrow("given up");
  });

  it("removes its listener from the signal", async () => {
    const { signal } = new AbortController();
    const { ask } = await createHost(answers(200));

    await ask({}, { signal });

    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("fails if the host changes the protocol", async () => {
    const { ask } = await createHost((asked) => {
      asked.socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
    });

    await expect(ask()).rejects.toMatchObject({ reason: "NETWORK", maybeExecuted: true });
  });
});
