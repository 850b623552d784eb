import { describe, expect, it, onTestFinished } from "vitest";
import { type AttachmentsOptions, createAttachments } from "../../lib/effects/http/attachments.ts";
import { createMemoryPlatform } from "../../local/platform/create-memory-platform.ts";
import { app, chatForm, startPlatform } from "../platform/helpers.ts";

const options = { appId: "app1", apiKey: "a-key" } as const;
const bytes = "a small picture";
const ofToken = "https://files-us.cometchat.io/app1/media/7";
const signed = "https://media-us.cometchat.io/app1/media/7?Expires=1&Signature=s&Key-Pair-Id=k";

function formOf(): FormData {
  const form = new FormData();
  form.set("receiver", "bob");
  form.set("receiverType", "user");
  form.append("file", new Blob([bytes], { type: "image/png" }), "Grüße.png");
  return form;
}

describe("a file sent to the emulated platform", () => {
  it("is opened at an expiring address, or at one that requires the key", async () => {
    const [presigned, token] = [await sendFile("presigned"), await sendFile("token")];
    for (const { attachments, attachment } of [presigned, token]) {
      const { body, type, size } = await attachments.open(attachment, { types: ["image/*"] });
      expect([await new Response(body).text(), type, size]).toEqual([bytes, "image/png", bytes.length]);
    }
    await presigned.platform.clock.advance(86_400_000);
    await token.platform.clock.advance(86_400_000);

    const bare = await token.platform.fetch(token.attachment.url);
    await expect(presigned.attachments.open(presigned.attachment)).rejects.toMatchObject({
      name: "AttachmentError",
      code: "EXPIRED",
    });
    expect(bare.status).toBe(401);
    expect((await token.attachments.open(token.attachment)).type).toBe("image/png");
    await expect(token.withKey("wrong").open(token.attachment)).rejects.toMatchObject({
      code: "REFUSED",
      status: 401,
    });
  });

  it("is opened behind a server whose address a template contains", async () => {
    const platform = await startPlatform({ switches: { mediaAddresses: "token" } });
    const sent = await chatForm("/messages", formOf(), "alice");
    const attachments = createAttachments({
      appId: app.appId,
      apiKey: app.fullAccessKey,
      baseUrlTemplate: `${new URL(platform.appUrl(app.appId)).origin}/{appId}.{service}-{region}/v3`,
    });

    const { body } = await attachments.open(sent.data.data.attachments[0]);

    expect(await new Response(body).text()).toBe(bytes);
  });
});

async function sendFile(mediaAddresses: "presigned" | "token") {
  const platform = createMemoryPlatform({ switches: { mediaAddresses } });
  onTestFinished(() => platform.close());
  const { fullAccessKey } = platform.keys;
  const answer = await platform.fetch(`${platform.appUrl("local-app")}/messages`, {
    method: "POST",
    headers: { apikey: fullAccessKey, onBehalfOf: "alice" },
    body: formOf(),
  });
  const [attachment] = (await answer.json()).data.data.attachments;
  const withKey = (apiKey: string) =>
    createAttachments({ appId: "local-app", apiKey, fetch: platform.fetch });
  return { platform, attachment, withKey, attachments: withKey(fullAccessKey) };
}

/** Attachments whose platform has these answers in order. */
function answering(answers: readonly (() => Response)[], more: Partial<AttachmentsOptions> = {}) {
  const asked: { url: string; key: string | null }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    asked.push({ url, key: new Headers(init.headers).get("apikey") });
    return answers[asked.length - 1]?.() ?? new Response(null, { status: 500 });
  };
  return { asked, attachments: createAttachments({ ...options, fetch, ...more }) };
}

const leadsTo = (url: string) => () => Response.json({ data: { url } });
const redirectsTo = (location: string) => () => new Response(null, { status: 302, headers: { location } });
const file = () => new Response(bytes, { headers: { "content-type": "image/png" } });

describe("attachments.open", () => {
  it("sends the key once to the host that requires it, and to no other", async () => {
    const { asked, attachments } = answering([leadsTo(`${ofToken}?fat=t`), redirectsTo(signed), file]);

    await attachments.open({ url: ofToken });

    expect(asked).toEqual([
      { url: ofToken, key: "a-key" },
      { url: `${ofToken}?fat=t`, key: null },
      { url: signed, key: null },
    ]);
  });

  it.each([
    ["an answer that names another host", [leadsTo("https://evil.example/app1/media/7")]],
    ["an answer that names another app", [leadsTo("https://files-us.cometchat.io/app2/media/7")]],
    ["an answer that names this machine", [leadsTo("http://127.0.0.1/app1/media/7")]],
    ["a redirect of the keyed request", [redirectsTo("https://evil.example/")]],
    ["a redirect to another host", [leadsTo(`${ofToken}?fat=t`), redirectsTo("https://evil.example/")]],
    ["a redirect to link-local", [leadsTo(`${ofToken}?fat=t`), redirectsTo("http://169.254.169.254/")]],
  ])("refuses other redirects of the platform: %s", async (_, answers) => {
    const { asked, attachments } = answering(answers);

    await expect(attachments.open({ url: ofToken })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(asked).toHaveLength(answers.length);
  });

  it.each([
    "https://evil.example/app1/media/7",
    "https://files-us.cometchat.io.evil.example/app1/media/7",
    "https://files-us.cometchat.io@evil.example/app1/media/7",
    "https://user:word@files-us.cometchat.io/app1/media/7",
    "https://files-us.cometchat.io/app2/media/7",
    "https://files-us.cometchat.io/app1/../app2/media/7",
    "https://files-us.cometchat.io:8443/app1/media/7",
    "http://files-us.cometchat.io/app1/media/7",
    "file:///etc/passwd",
    "",
    undefined,
  ])("sends no request to %s", async (url) => {
    const { asked, attachments } = answering([file]);

    await expect(attachments.open({ url })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(asked).toEqual([]);
  });

  it("connects only to public addresses, even if the host is allowed", async () => {
    const { attachments } = answering([], { hosts: ["localhost"] });

    const opening = attachments.open({ url: "https://localhost/a" });

    await expect(opening).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("stops reading at the caller's limit, whatever length the server declared", async () => {
    const { attachments } = answering([file, file, () => new Response(bytes)]);
    const limits = { maxBytes: 5 };

    const { body } = await attachments.open({ url: signed }, limits);

    await expect(new Response(body).text()).rejects.toMatchObject({ code: "TOO_LARGE" });
    const length = { "content-length": "6" };
    const honest = answering([() => new Response(bytes, { headers: length })]);
    await expect(honest.attachments.open({ url: signed }, limits)).rejects.toMatchObject({
      code: "TOO_LARGE",
    });
  });

  it("accepts any type under */*, and a part of a millisecond", async () => {
    const { attachments } = answering([file]);

    const { type } = await attachments.open({ url: signed }, { types: ["*/*"], timeoutMs: 999.5 });

    expect(type).toBe("image/png");
  });

  it("uses the server's type instead of the message's", async () => {
    const { attachments } = answering([
      () => new Response("<script>", { headers: { "content-type": "text/html" } }),
    ]);

    const named = { url: signed, mimeType: "image/png" };
    const opening = attachments.open(named, { types: ["image/*"] });

    await expect(opening).rejects.toMatchObject({ code: "WRONG_TYPE" });
  });

  it.each([
    [403, signed, "EXPIRED", false],
    [403, signed.replace("Expires=1&", "Expires=99999999999&"), "REFUSED", false],
    [403, signed.replace("Expires=1&", "Expires=&"), "REFUSED", false],
    [404, signed, "REFUSED", false],
    [503, signed, "UNREACHABLE", true],
  ])("reports a %i at %s: %s", async (status, url, code, retryable) => {
    const { attachments } = answering([() => new Response(null, { status })]);

    const error = await attachments.open({ url }).catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code, retryable, status });
    expect(String(error)).not.toContain("Signature");
  });

  it.each([
    [{ date: "Wed, 31 Dec 1969 23:59:59 GMT" }, "REFUSED"],
    [{ date: "Thu, 01 Jan 1970 00:00:01 GMT" }, "EXPIRED"],
    [{ date: "today" }, "EXPIRED"],
  ])("decides with the host's clock: %j", async (headers, code) => {
    const { attachments } = answering([() => new Response(null, { status: 403, headers })]);

    await expect(attachments.open({ url: signed })).rejects.toMatchObject({ code });
  });

  it.each<[unknown, object, RegExp]>([
    [null, {}, /"attachment" must be of type object, not null/],
    ["https://a.example", {}, /"attachment" must be of type object, not string/],
    [{ url: 5 }, {}, /"url" must be of type string, not number/],
    [{ url: signed }, { maxBytes: 0 }, /"maxBytes" must be above 0/],
    [{ url: signed }, { timeoutMs: 2 ** 40 }, /"timeoutMs" must be above 0, and at most 24 days/],
  ])("refuses %j with %j with its own messages", async (attachment, given, says) => {
    const { asked, attachments } = answering([file]);

    await expect(Reflect.apply(attachments.open, undefined, [attachment, given])).rejects.toThrow(says);
    expect(asked).toEqual([]);
  });

  it("retries with a fresh key if the platform refuses the current one", async () => {
    const apiKey = { get: async () => "old", refresh: async () => "new" };
    const refused = () => new Response(null, { status: 401 });
    const { asked, attachments } = answering([refused, leadsTo(`${ofToken}?fat=t`), file], { apiKey });

    await attachments.open({ url: ofToken });

    expect(asked.map(({ key }) => key)).toEqual(["old", "new", null]);
  });

  it.each([
    ["cut", signed],
    ["late", signed],
    ["cut where an address was expected", ofToken],
  ])("is unreachable if its body is %s", async (how, url) => {
    const part = new TextEncoder().encode("abc");
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(part),
      pull: (controller) =>
        how === "late" ? new Promise<void>(() => {}) : controller.error(new TypeError("terminated")),
    });
    const { attachments } = answering([() => new Response(broken)]);
    const read = async () => new Response((await attachments.open({ url }, { timeoutMs: 50 })).body).text();

    await expect(read()).rejects.toMatchObject({ name: "AttachmentError", code: "UNREACHABLE" });
  });

  it("ends with the caller's reason, and without an answer as unreachable", async () => {
    const never = () => new Promise<Response>((_, reject) => void setTimeout(reject, 0, new Error("a-key")));
    const silent = createAttachments({ ...options, fetch: never });
    const stop = AbortSignal.abort(new Error("enough"));

    await expect(silent.open({ url: signed })).rejects.toMatchObject({
      code: "UNREACHABLE",
      retryable: true,
    });
    await expect(silent.open({ url: signed }, { signal: stop })).rejects.toThrow("enough");
  });
});
