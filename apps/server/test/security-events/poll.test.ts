import { BULK_REQUEST_URN, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { exchange } from "../over-http/exchange.ts";
import { startReceiver, type Arrived } from "../webhooks/receiver.ts";
import { startStreams, STREAMS, tokensOf } from "./stream-server.ts";

type Server = Awaited<ReturnType<typeof startStreams>>;

const CREATED = "urn:ietf:params:scim:event:prov:create:full";

/** A stream that is polled, with so many events in it. */
async function polled(events: number, of: Parameters<Server["stream"]>[0] = {}) {
  const server = await startStreams();
  const stream = await server.stream({ method: "poll", ...of });
  for (let at = 0; at < events; at += 1) await server.user({ userName: `user-${at}` });
  await expect
    .poll(async () => (await server.ask("GET", "/tenants/default/changes")).body["next"])
    .toBe(events);
  const path = `${STREAMS}/${String(stream["id"])}`;
  return { ...server, make: server.stream, stream, shown: async () => (await server.ask("GET", path)).body };
}

describe("a stream that is polled", () => {
  test("R8936-2.2-01 R8936-2.3-01: gives so many tokens as are asked for, and says that there are more", async () => {
    const { stream, poll, verify } = await polled(3);
    const first = await poll(stream, { maxEvents: 2 });
    expect(first).toMatchObject({ status: 200, body: { moreAvailable: true } });
    const tokens = tokensOf(first);
    expect(tokens.size).toBe(2);
    for (const [jti, token] of tokens) expect((await verify(token)).payload.jti).toBe(jti);
    const second = await poll(stream, { maxEvents: 2, ack: [...tokens.keys()] });
    expect(second.body["moreAvailable"]).toBe(false);
    expect(tokensOf(second).size).toBe(1);
    const third = await poll(stream, { ack: [...tokensOf(second).keys()] });
    expect(third.body).toEqual({ sets: {}, moreAvailable: false });
  });

  test("R8936-2.4-01: gives what was not acknowledged again, and what was acknowledged never", async () => {
    const { stream, poll, shown } = await polled(3);
    const [one, two, three] = tokensOf(await poll(stream)).keys();
    expect([...tokensOf(await poll(stream)).keys()]).toEqual([one, two, three]);
    expect([...tokensOf(await poll(stream, { ack: [two ?? ""] })).keys()]).toEqual([one, three]);
    expect([
      ...tokensOf(await poll(stream, { ack: [two ?? "", "nothing", "other_1_1-x"] })).keys(),
    ]).toHaveLength(2);
    await poll(stream, { maxEvents: 0, ack: [one ?? "", three ?? ""] });
    expect(tokensOf(await poll(stream)).size).toBe(0);
    expect(await shown()).toMatchObject({
      position: 3,
      waiting: 0,
      dead: 0,
      lastDelivery: expect.any(String),
    });
  });

  test("shows what became of tokens that are settled while others are taken, though the next are none of theirs", async () => {
    const { stream, poll, shown } = await polled(3);
    const [one = ""] = tokensOf(await poll(stream, { maxEvents: 1 })).keys();
    const [two = ""] = tokensOf(await poll(stream, { maxEvents: 1, ack: [one] })).keys();
    const { lastDelivery } = await shown();
    expect(lastDelivery).toEqual(expect.any(String));
    const setErrs = { [two]: { err: "invalid_audience" } };
    expect(tokensOf(await poll(stream, { maxEvents: 1, setErrs })).size).toBe(1);
    const lastProblem = "The receiver refused the token: invalid_audience.";
    expect(await shown()).toMatchObject({ position: 3, waiting: 1, dead: 1, lastDelivery, lastProblem });
  });

  test("R8936-2.3-01: says that there are more only where there are others than those in the answer", async () => {
    const { stream, poll, ...server } = await polled(1);
    const first = await poll(stream, { maxEvents: 1 });
    const again = await poll(stream, { maxEvents: 1 });
    expect(
      [first, again].map((answer) => [[...tokensOf(answer).keys()], answer.body["moreAvailable"]]),
    ).toEqual(Array.from({ length: 2 }, () => [[...tokensOf(first).keys()], false]));
    await server.user({ userName: "another" });
    const more = async (): Promise<unknown> => (await poll(stream, { maxEvents: 1 })).body["moreAvailable"];
    await expect.poll(more).toBe(true);
    expect(tokensOf(await poll(stream, { maxEvents: 2 })).size).toBe(2);
    expect(await more(), "both were handed out, and one is given").toBe(true);
    await poll(stream, { maxEvents: 0, ack: [...tokensOf(first).keys()] });
    expect(await more()).toBe(false);
  });

  test("R8936-2.4-01: settles no token by an id that another one of its position had, before a backup was restored", async () => {
    const { stream, poll, shown } = await polled(2);
    const [one = "", two = ""] = tokensOf(await poll(stream)).keys();
    const [former, other] = [`${one}x`, `${two}x`];
    const setErrs = { [other]: { err: "invalid_audience", description: "not for us" } };
    expect([...tokensOf(await poll(stream, { ack: [former], setErrs })).keys()]).toEqual([one, two]);
    expect(await shown()).toMatchObject({ waiting: 2, dead: 0, lastDelivery: null });
    await poll(stream, { ack: [former, one], setErrs: { [two]: { err: "invalid_audience" } } });
    expect(await shown()).toMatchObject({ waiting: 0, dead: 1 });
  });

  test("is given no address later either", async () => {
    const { stream, shown, ...server } = await polled(0);
    const headers = { "content-type": "application/json", "if-match": "*" };
    const path = `${STREAMS}/${String(stream["id"])}`;
    const refused = await server.ask("PATCH", path, headers, { url: "https://them.example/events" });
    expect([refused.status, refused.body["detail"]]).toEqual([
      400,
      "A stream that is pushed has an address, and one that is polled has none.",
    ]);
    expect(await shown()).toMatchObject({ url: "", types: [] });
  });

  test("R8936-2.6-01: what is refused is a dead letter, and can be given again or dropped", async () => {
    const { stream, poll, send, ...server } = await polled(2);
    const [one, two] = tokensOf(await poll(stream)).keys();
    const refused = { [one ?? ""]: { err: "invalid_audience", description: "not for us" } };
    expect([...tokensOf(await poll(stream, { setErrs: refused })).keys()]).toEqual([two]);
    const path = `${STREAMS}/${String(stream["id"])}`;
    expect((await server.ask("GET", `${path}/dead`)).body["dead"]).toMatchObject([
      { position: 1, problem: "The receiver refused the token: invalid_audience." },
    ]);
    expect((await send("POST", `${path}/replay`, { dead: [1] })).body).toEqual({ revived: 1 });
    expect([...tokensOf(await poll(stream)).keys()]).toEqual([one, two]);
    // An error of the receiver's own may name a person.
    await poll(stream, { setErrs: { [one ?? ""]: { err: "ada@corp.example is unknown" } } });
    expect((await server.ask("GET", `${path}/dead`)).body["dead"]).toMatchObject([
      { position: 1, problem: "The receiver refused the token: an error of its own." },
    ]);
    expect((await send("POST", `${path}/drop`, { dead: [2] })).body).toEqual({ dropped: 0 });
    expect((await send("POST", `${path}/drop`, { positions: [1] })).status).toBe(400);
    const many = Array.from({ length: 1001 }, (_, at) => at);
    expect((await send("POST", `${path}/drop`, { dead: many })).status).toBe(400);
    expect((await send("POST", `${path}/drop`)).body).toEqual({ dropped: 1 });
    expect((await server.ask("GET", `${path}/dead`)).body["dead"]).toEqual([]);
    const trail = async (): Promise<string> => JSON.stringify((await server.ask("GET", "/audit")).body);
    await expect.poll(trail).toContain("dropped");
  });

  test("tells of a resource that was restored as of one that was created, with all it holds", async () => {
    const { stream, poll, verify, ...server } = await polled(0, { payload: "full" });
    const anna = await server.user({ userName: "anna", externalId: "a-1" });
    const team = await server.group({ displayName: "team", members: [{ value: anna.id }] });
    for (const { path } of [anna, team]) await server.call("DELETE", path);
    for (const name of [`User/${anna.id}`, `Group/${team.id}`]) {
      const path = `/tenants/default/deleted/${name}/restore`;
      expect((await server.ask("POST", path, { "if-match": "*" })).status).toBe(200);
    }
    const tokens = async () => [...tokensOf(await poll(stream)).values()];
    await expect.poll(tokens).toHaveLength(6);
    const events = await tokens();
    const [back, teamBack] = await Promise.all(events.slice(-2).map(verify));
    expect(back?.payload).toMatchObject({
      sub_id: { uri: `/Users/${anna.id}`, externalId: "a-1" },
      events: { [CREATED]: { data: { id: anna.id, userName: "anna" }, version: expect.any(String) } },
    });
    expect(teamBack?.payload).toMatchObject({
      events: { [CREATED]: { data: { id: team.id, members: [{ value: anna.id }] } } },
    });
  });

  test("R8936-2.3-01: an answer that would be large ends early, and says that there are more", async () => {
    const { stream, poll, ...server } = await polled(0, { payload: "full" });
    const ids = Array.from({ length: 40 }, (_, n) => `large${n}`);
    const Operations = ids.map((userName) => {
      const data = { schemas: [USER_URN], userName, title: "x".repeat(60_000) };
      return { method: "POST", path: "/Users", bulkId: userName, data };
    });
    await server.call("POST", "/Bulk", { body: { schemas: [BULK_REQUEST_URN], Operations } });
    await expect
      .poll(async () => (await server.ask("GET", "/tenants/default/changes?last=0")).body["next"])
      .toBe(40);
    const first = await poll(stream);
    expect([tokensOf(first).size, first.body["moreAvailable"]]).toEqual([35, true]);
    // As text, tokens are longer than what the events hold.
    const again = await poll(stream);
    expect(tokensOf(again).size).toBeLessThan(35);
    expect(again.body["moreAvailable"]).toBe(true);
    const seen = new Set<string>();
    for (let answer = again; tokensOf(answer).size > 0;) {
      const ack = [...tokensOf(answer).keys()];
      for (const jti of ack) seen.add(jti);
      answer = await poll(stream, { ack });
    }
    expect(seen.size).toBe(40);
  });

  test("R8936-2.3-01 R8936-2.4.2-01: acknowledges alone, without a token in the answer, which says whether there are more", async () => {
    const { stream, poll } = await polled(2);
    const tokens = [...tokensOf(await poll(stream)).keys()];
    for (const [acknowledged, moreAvailable] of [true, false].entries()) {
      const ack = tokens.slice(acknowledged, acknowledged + 1);
      const answer = await poll(stream, { maxEvents: 0, returnImmediately: false, ack });
      expect(answer.body).toEqual({ sets: {}, moreAvailable });
    }
  });

  test("waits for an event, unless it must not", async () => {
    const server = await polled(0);
    expect(tokensOf(await server.poll(server.stream)).size).toBe(0);
    const waiting = server.poll(server.stream, { returnImmediately: false });
    await server.user({ userName: "anna" });
    expect(tokensOf(await waiting).size).toBe(1);
  });

  test("lets so many polls wait, so that who has its token does not hold all connections; more are told when to come again", async () => {
    const server = await polled(0);
    const wait = (): ReturnType<typeof server.poll> =>
      server.poll(server.stream, { returnImmediately: false });
    const polls = Array.from({ length: 21 }, wait);
    const refused = await Promise.race(polls);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "30"]);
    expect(refused.body).toEqual({
      err: "invalid_request",
      description: expect.stringContaining("20 polls of this stream wait for an event already."),
    });
    expect((await server.poll(server.stream)).status, "it must not wait").toBe(200);
    await server.stop();
    expect((await Promise.all(polls)).filter(({ status }) => status === 200)).toHaveLength(20);
  });

  test("is polled no more often than the rate that a connection has by default, each stream by itself", async () => {
    const server = await startStreams({ SCIM_RATE_PER_SECOND: "1", SCIM_RATE_BURST: "3" });
    const [one, two] = [await server.stream({ method: "poll" }), await server.stream({ method: "poll" })];
    const polls = await Promise.all(Array.from({ length: 30 }, () => server.poll(one)));
    const refused = polls.find(({ status }) => status === 429);
    expect(polls.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
    expect(refused?.headers["retry-after"]).toMatch(/^[0-9]+$/);
    expect(refused?.body).toEqual({ err: "invalid_request", description: expect.any(String) });
    expect((await server.poll(two)).status).toBe(200);
  });

  test.each([{}, { maxEvents: 0, returnImmediately: false }])(
    "R8936-2.2-01: waits for nothing that it is not to wait for while it is paused; what it acknowledges then is given again: %j",
    async (request) => {
      const { stream, poll, ...server } = await polled(2);
      const ack = [...tokensOf(await poll(stream)).keys()];
      const to = async (state: string): Promise<void> => {
        const headers = { "content-type": "application/json", "if-match": "*" };
        const changed = await server.ask("PATCH", `${STREAMS}/${String(stream["id"])}`, headers, { state });
        expect(changed.status, changed.text).toBe(200);
      };
      await to("paused");
      const began = performance.now();
      expect((await poll(stream, { ...request, ack })).body).toEqual({ sets: {}, moreAvailable: false });
      expect(performance.now() - began, "of the 30 seconds that others wait").toBeLessThan(20_000);
      await to("active");
      expect([...tokensOf(await poll(stream)).keys()]).toEqual(ack);
      expect(tokensOf(await poll(stream, { ack })).size).toBe(0);
    },
  );

  test("a poll that waits does not hold up the end of the server", async () => {
    const server = await polled(0);
    const waiting = server.poll(server.stream, { returnImmediately: false });
    await expect.poll(async () => (await server.ask("GET", STREAMS)).status).toBe(200);
    await server.stop();
    expect((await waiting).body).toEqual({ sets: {}, moreAvailable: false });
  });

  test("tells what is asked for alone", async () => {
    const { stream, poll } = await polled(2, { types: ["Group"] });
    expect((await poll(stream)).body).toEqual({ sets: {}, moreAvailable: false });
  });

  test("is set back to a position", async () => {
    const { stream, poll, send } = await polled(2);
    const tokens = tokensOf(await poll(stream));
    await poll(stream, { maxEvents: 0, ack: [...tokens.keys()] });
    await send("POST", `${STREAMS}/${String(stream["id"])}/replay`, { since: 0 });
    expect(tokensOf(await poll(stream))).toHaveProperty("size", 2);
  });

  test.each([
    ["a list", "[]", "must be a JSON object"],
    ["maxEvents", '{"maxEvents": -1}', "'maxEvents'"],
    ["returnImmediately", '{"returnImmediately": "yes"}', "'returnImmediately'"],
    ["ack", '{"ack": "x"}', "'ack'"],
    ["setErrs", '{"setErrs": {"x": "y"}}', "'setErrs'"],
    ["nothing", "", "The body is empty"],
    ["no JSON", "{", "not valid JSON"],
  ])("R8936-2.5.1-01: is asked with a malformed body: %s", async (_name, body, description) => {
    const { origin, stream } = await polled(0);
    const answer = await exchange(origin, {
      method: "POST",
      path: `/events/default/${String(stream["id"])}/poll`,
      headers: { authorization: `Bearer ${String(stream["token"])}`, "content-type": "application/json" },
      body,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { err: "invalid_request", description: expect.stringContaining(description) },
      headers: { "content-language": "en" },
    });
  });

  test.each(["text/plain", "application/scim+json", "application/x-www-form-urlencoded"])(
    "is asked in another form than JSON: %s",
    async (type) => {
      const { origin, stream } = await polled(0);
      const answer = await exchange(origin, {
        method: "POST",
        path: `/events/default/${String(stream["id"])}/poll`,
        headers: { authorization: `Bearer ${String(stream["token"])}`, "content-type": type },
        body: '{"maxEvents": 0}',
      });
      expect(answer).toMatchObject({
        status: 415,
        headers: expect.objectContaining({ accept: "application/json" }),
        body: { err: "invalid_request", description: "Send the body as application/json." },
      });
    },
  );

  test("R8936-2.5.1-01: a body that is too large is refused with the size that one may have, as by the admin API", async () => {
    const { stream, poll, send } = await polled(0);
    const description = expect.stringMatching(
      /^The body is larger than \d+ bytes; send it in smaller parts\.$/,
    );
    const ack = Array.from({ length: 20_000 }, () => "x".repeat(100));
    const refused = await poll(stream, { ack });
    expect(refused).toMatchObject({ status: 413, body: { err: "invalid_request", description } });
    expect(await send("POST", STREAMS, { ack })).toMatchObject({
      status: 413,
      body: { status: "413", detail: description },
    });
  });

  test("R8936-3-01: is given to its own token alone, and the answer does not tell which streams there are", async () => {
    const server = await polled(1);
    const other = await server.make({ method: "poll" });
    const refusals = await Promise.all([
      server.poll({ ...server.stream, token: other["token"] ?? "" }),
      server.poll({ ...server.stream, token: "scim_events_x" }),
      server.poll({ ...server.stream, token: "" }),
      server.poll({ id: "no-such-stream", token: other["token"] ?? "" }),
    ]);
    const [first] = refusals;
    expect(first?.headers["www-authenticate"]).toBe('Bearer realm="scim-events", error="invalid_token"');
    expect(refusals.map(({ status, text }) => [status, text])).toEqual(
      refusals.map(() => [401, first?.text]),
    );
    const rotated = await server.send("POST", `${STREAMS}/${String(server.stream["id"])}/rotate`, {
      overlapHours: 0,
    });
    expect((await server.poll(server.stream)).status).toBe(401);
    expect((await server.poll(rotated.body)).status).toBe(200);

    // One that waits for an event meanwhile.
    const made = await server.make({ method: "poll" });
    const waiting = server.poll(made, { returnImmediately: false });
    await server.poll(made);
    await server.send("POST", `${STREAMS}/${String(made["id"])}/rotate`, { overlapHours: 0 });
    await server.user({ userName: "late" });
    expect((await waiting).status).toBe(401);
  });

  test("R8936-3-01: is given to nobody while its tenant is suspended, and nothing is sent; wrong tokens are slowed down, and every poll is counted", async () => {
    const server = await startStreams({ SCIM_METRICS: "open" });
    const stream = await server.stream({ method: "poll" });
    await server.user({ userName: "anna" });
    const to = async (state: string) => {
      const headers = { "content-type": "application/json", "if-match": "*" };
      expect((await server.ask("PATCH", "/tenants/default", headers, { state })).status).toBe(200);
    };
    await to("suspended");
    expect(await server.poll(stream)).toMatchObject({
      status: 401,
      body: { err: "authentication_failed", description: expect.stringContaining("its tenant is suspended") },
    });

    // Nothing is sent of its events either, while the trail of administration is told of on the same address.
    const receiver = await startReceiver();
    const webhook = await server.send("POST", "/tenants/default/webhooks", { url: receiver.url, since: 0 });
    expect([webhook.status, webhook.body["position"]]).toEqual([201, 0]);
    const isOfTrail = ({ path }: Arrived): boolean => path.endsWith("?trail");
    const trail = await server.send("POST", "/webhooks", { url: `${receiver.url}?trail`, since: 0 });
    expect(trail.status).toBe(201);
    for (const overlapHours of [1, 2]) {
      const told = await receiver.until(1, isOfTrail);
      await server.send("POST", `/webhooks/${String(trail.body["id"])}/rotate`, { overlapHours });
      await receiver.until(told.length + 1, isOfTrail);
    }
    expect(receiver.arrived.filter((one) => !isOfTrail(one))).toEqual([]);
    await to("active");
    await receiver.until(1, (one) => !isOfTrail(one));
    const wrong = { ...stream, token: `scim_events_${"x".repeat(43)}` };
    for (let sent = 0; sent < 10; sent += 1) expect((await server.poll(wrong)).status).toBe(401);
    await expect.poll(async () => (await server.poll(wrong)).status).toBe(429);
    const slowed = await server.poll(wrong);
    expect([slowed.headers["retry-after"], slowed.body["err"]]).toEqual([
      expect.stringMatching(/^\d+$/),
      "authentication_failed",
    ]);
    expect((await server.poll(stream)).status).toBe(200);
    const counted = /route="\/events\/:tenant\/:id\/poll",method="POST",status="(?:4xx"\} \d\d|2xx"\} 1)$/gm;
    await expect
      .poll(async () =>
        (await exchange(server.origin, { method: "GET", path: "/metrics" })).text.match(counted),
      )
      .toHaveLength(2);
  });
});
