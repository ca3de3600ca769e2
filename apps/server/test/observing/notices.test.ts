import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { keepRequests } from "../../src/requests/request-log.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { openStore } from "../../src/store/open-store.ts";
import { printed } from "../command-line/printed.ts";
import { clientOf } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange, textMember } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { admin, ADMIN_TOKEN, logged } from "../requests/admin.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import { samplesOf, totalOf } from "./metric-text.ts";

const SETTINGS = {
  SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
  SCIM_METRICS: "open",
  SCIM_GUARD_MODE: "hold",
  SCIM_GUARD_AT_LEAST: "1",
  SCIM_GUARD_PERCENT: "0",
  SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
  SCIM_DELIVERY_PLAIN_HTTP: "allow",
};

interface At {
  readonly origin: string;
}

async function metric({ origin }: At, name: string, labels: Readonly<Record<string, string>>) {
  const { text } = await exchange(origin, { method: "GET", path: "/metrics" });
  return totalOf(samplesOf(text), name, labels);
}

/** The trail of administration. */
async function trail({ origin }: At): Promise<readonly JsonObject[]> {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const { body } = await exchange(origin, { method: "GET", path: "/admin/v1/audit?limit=1000", headers });
  // The admin API answers a list of objects.
  return body["entries"] as readonly JsonObject[];
}

/** Runs `scim webhook` for the trail in this process; resolves to what it wrote. */
async function webhook(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { code, stdout } = await printed(["webhook", ...args, "--tenant", "admin"], environment);
  expect(code).toBe(0);
  return stdout;
}

test.each(ENGINES)(
  "what a guard sees and who falls silent is counted, audited and delivered on $name",
  async (engine) => {
    const database = await engine.make();
    const environment = { ...database.environment, ...SETTINGS };
    const server = await startInProcess(environment);
    const receiver = await startReceiver();
    const types = ["GuardExceeded", "ConnectionSilence"];
    await webhook(environment, "create", "--to", receiver.url, "--types", types.join(","));
    // The command wrote it.
    const { webhooks } = JSON.parse(await webhook(environment, "list", "--json")) as {
      readonly webhooks: readonly { readonly id: string }[];
    };

    const users = [await server.user({ userName: "one" }), await server.user({ userName: "two" })];
    // Counted from the first request on, since Prometheus sees no increase where a series begins with one.
    const caller = { tenant: "default", connection: "default" };
    const deletions = { ...caller, measure: "deletions" };
    expect(await metric(server, "scim_guard_exceeded_total", deletions)).toBe(0);
    for (const name of ["scim_connection_silences_total", "scim_attributes_dropped_total"])
      expect(await metric(server, name, caller)).toBe(0);
    const deleted = [];
    for (const { path } of users) deleted.push((await server.call("DELETE", path)).status);
    expect(deleted).toEqual([204, 429]);
    expect(await metric(server, "scim_guard_exceeded_total", deletions)).toBe(1);
    expect(await metric(server, "scim_guard_held_changes", { tenant: "default" })).toBe(1);
    const [exceeded] = await receiver.until(1);
    expect(JSON.parse(exceeded?.body ?? "")).toMatchObject({
      type: "GuardExceeded.created",
      data: { id: "default/default/deletions" },
    });

    // A connection that sends nothing for ten minutes: its last request lies an hour back.
    await admin(server, "/connections/default", { method: "PATCH", body: '{"silentAfter":10}' });
    await logged(server, 4);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await database.query(`UPDATE request_sources SET last = '${hourAgo}' WHERE tenant = 'default'`);
    await database.query(servedSince(hourAgo));
    const other = await startInProcess(environment);
    const [, silence] = await receiver.until(2);
    expect(JSON.parse(silence?.body ?? "")).toMatchObject({
      type: "ConnectionSilence.created",
      data: { id: "default/default" },
    });
    expect(await metric(other, "scim_connection_silences_total", caller)).toBe(1);

    const told = (await trail(server)).filter(({ type }) => types.includes(String(type)));
    expect(told).toMatchObject([
      { type: "GuardExceeded", connection: "admin" },
      { type: "ConnectionSilence", id: "default/default" },
    ]);
    expect(JSON.stringify(told[0])).toContain('"path":"most"');
    const listed = await printed(["audit", "list", "--tenant", "admin"], environment);
    expect(listed.stdout).toMatch(/ GuardExceeded default\/default\/deletions +the service +measure, /);

    const of = { tenant: "admin", receiver: webhooks[0]?.id ?? "" };
    const delivered = { ...of, outcome: "delivered" };
    const counts = [server, other].map((each) => metric(each, "scim_deliveries_total", delivered));
    expect((await Promise.all(counts)).reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(2);
    await expect.poll(() => metric(server, "scim_receiver_lag_events", of)).toBe(0);
    expect(await metric(server, "scim_receiver_dead_letters", of)).toBe(0);
  },
);

test.each(ENGINES)(
  "counts of a connection that speaks no more begin at nothing with a start on $name",
  async (engine) => {
    const { environment } = await engine.make();
    const first = await startInProcess({ ...environment, ...SETTINGS });
    await first.user({ userName: "one" });
    await logged(first, 1);
    await first.stop();
    const second = await startInProcess({ ...environment, ...SETTINGS });
    const caller = { tenant: "default", connection: "default" };
    for (const name of [
      "scim_connection_silences_total",
      "scim_guard_exceeded_total",
      "scim_attributes_dropped_total",
    ])
      await expect.poll(() => metric(second, name, caller), { message: name }).toBe(0);
  },
);

/** Lets the service have listened since an instant. */
function servedSince(at: string): string {
  return `UPDATE request_sources SET begun = '${at}' WHERE tenant = 'admin'`;
}

/** A server of whose connections `default` and `hr` both sent a request every minute, and an hour ago last. */
async function silentFor(engine: (typeof ENGINES)[number]) {
  const database = await engine.make();
  const environment = { ...database.environment, ...SETTINGS };
  const server = await startInProcess(environment);
  await admin(server, "/connections", { method: "POST", body: '{"connection":"hr"}' });
  const { body } = await admin(server, "/connections/hr/tokens", { method: "POST", body: "{}" });
  const hr = clientOf({ origin: server.origin, base: "/scim/v2", token: textMember(body, "token") });
  for (const client of [server, hr]) expect((await client.call("GET", "/Users")).status).toBe(200);
  await logged(server, 2);
  const settings = resolveSettings({ flags: {}, environment }).values;
  return {
    command: async (...args: readonly string[]) => expect((await printed(args, environment)).code).toBe(0),
    /** Looks for silence; resolves to the connections of which it is told. */
    told: async (log: "on" | "off" = "on"): Promise<readonly string[]> => {
      const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
      await database.query(
        `UPDATE request_sources SET last = '${hourAgo}', intervals = '[60000,60000,60000]' WHERE tenant = 'default'`,
      );
      await database.query(servedSince(hourAgo));
      const opened = await openStore(settings);
      const silent: string[] = [];
      const onSilent = ({ connection }: { readonly connection: string }): void =>
        void silent.push(connection);
      await keepRequests({ settings: { ...settings, "requests.log": log }, opened, onSilent }, () => false);
      await opened.store.close();
      return silent;
    },
  };
}

describe.each(ENGINES)("no silence is told on $name", (engine) => {
  // As where requests ended behind the deletion.
  test("of a connection that is not there", async () => {
    const { command, told } = await silentFor(engine);
    await command("connection", "delete", "hr");
    expect(await told(), "one that is there alone").toEqual(["default"]);
  });

  test("while nothing is logged, since nobody would hear who speaks", async () => {
    const { told } = await silentFor(engine);
    expect(await told("off")).toEqual([]);
    expect(await told()).toEqual(["default", "hr"]);
  });

  test("of a connection that is suspended, until it is resumed", async () => {
    const { command, told } = await silentFor(engine);
    await command("connection", "suspend", "hr");
    expect(await told()).toEqual(["default"]);
    await command("connection", "resume", "hr");
    expect(await told(), "the other was told of").toEqual(["hr"]);
  });

  test("of a tenant that is suspended, until it is resumed", async () => {
    const { command, told } = await silentFor(engine);
    await command("tenant", "suspend", "default");
    expect(await told()).toEqual([]);
    await command("tenant", "resume", "default");
    expect(await told()).toEqual(["default", "hr"]);
  });
});

test.each(ENGINES)(
  "a token and a secret that end within 30 days are told once in the trail and to its webhooks on $name",
  async (engine) => {
    const database = await engine.make();
    const environment = { ...database.environment, ...SETTINGS };
    const command = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout } = await printed(args, environment);
      expect(code).toBe(0);
      return stdout;
    };
    const end = ["--expires", "20d"];
    const first = await startInProcess(environment);
    const token = JSON.parse(await command("token", "create", ...end, "--json")) as { readonly id: string };
    await command("token", "create", "--expires", "31d");
    const client = (await command("client", "create", "--name", "script")).trim();
    await command("client", "secret", "add", client, ...end);
    const receiver = await startReceiver();
    await webhook(environment, "create", "--to", receiver.url, "--types", "CredentialExpiry");
    await first.stop();

    // Each start looks.
    const second = await startInProcess(environment);
    await receiver.until(2);
    await second.stop();
    const third = await startInProcess(environment);
    await expect.poll(() => metric(third, "scim_tokens_expiring", {})).toBe(2);
    // Also those that have no position yet.
    const events = await database.query("SELECT * FROM events WHERE tenant = 'admin'");
    expect(events.filter((row) => Object.values(row).includes("CredentialExpiry"))).toHaveLength(2);
    const told = (await trail(third)).filter(({ type }) => type === "CredentialExpiry");
    expect(told).toMatchObject([{ id: `default/default/${token.id}` }, { kind: "created" }]);
    expect(JSON.stringify(told[1])).toContain('{"after":{"value":"secret"},"path":"kind"}');
    expect(receiver.arrived).toHaveLength(2);
    expect(receiver.arrived[0]?.body).toContain('"CredentialExpiry.created"');
    expect(receiver.arrived.map(({ body }) => body).join("")).not.toContain("script");
  },
);
