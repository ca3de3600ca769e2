/**
 * Clients that send requests all the time, and remember what each was told: so that in the end all of it can be
 * asked for again.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { setTimeout as delay } from "node:timers/promises";
import { exchange, resourcesOf, type WireAnswer } from "../over-http/exchange.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** Milliseconds between two rounds of a client: programs that start meanwhile have the processor for themselves. */
const REST_MS = 100;

/** A user as the last acknowledged write left it. */
export interface KeptUser {
  readonly path: string;
  readonly id: string;
  readonly userName: string;
  readonly nickName: string;
  /** The entity tag of that write. */
  readonly tag: string;
}

/** A group as the last acknowledged write left it. */
export interface KeptGroup {
  readonly path: string;
  readonly displayName: string;
  readonly tag: string;
  readonly members: ReadonlySet<string>;
}

/** What the clients were told. */
export interface Told {
  readonly users: readonly KeptUser[];
  readonly groups: readonly KeptGroup[];
  /** Addresses of what was deleted. */
  readonly deleted: readonly string[];
  /** Writes that were acknowledged. */
  readonly writes: number;
  readonly requests: number;
  /** Requests that were not answered as they should have been. */
  readonly failures: readonly string[];
  /** Requests that were answered 503 with `Retry-After`, and sent again. */
  readonly retried: number;
}

/** Clients at work. */
export interface Load {
  /** Sends what comes next to these servers, in turn, and resolves when no other has a request under way. */
  moveTo(...origins: readonly string[]): Promise<void>;
  /** Resolves when each client has made so many rounds more. */
  rounds(count: number): Promise<void>;
  /** Resolves when the clients have ended. */
  stop(): Promise<Told>;
}

/** How many clients there are, whom they ask and as whom. */
export interface LoadOptions {
  readonly clients: number;
  readonly origin: string;
  readonly token: string;
}

/** Starts clients. */
export function startLoad({ clients, origin, token }: LoadOptions): Load {
  const sender = new Sender(origin, token);
  const stopping = new AbortController();
  const all = Array.from({ length: clients }, (_, index) => new Client(sender, `c${index}`));
  const ended = Promise.all(
    all.map(async (client) => {
      while (!stopping.signal.aborted) {
        await client.round();
        await delay(REST_MS);
      }
    }),
  );
  return {
    moveTo: (...origins) => sender.moveTo(origins),
    rounds: async (count) => {
      const wanted = all.map((client) => client.rounds + count);
      while (all.some((client, index) => client.rounds < (wanted[index] ?? 0))) await delay(5);
    },
    stop: async () => {
      stopping.abort();
      await ended;
      return {
        users: all.flatMap((client) => [...client.users]),
        groups: all.map((client) => client.group).filter((group) => group !== null),
        deleted: all.flatMap((client) => client.deleted),
        writes: all.reduce((sum, client) => sum + client.writes, 0),
        requests: sender.requests,
        failures: sender.failures,
        retried: sender.retried,
      };
    },
  };
}

/** A request of a client. */
interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Sends requests to the servers that are in use. */
class Sender {
  requests = 0;
  retried = 0;
  readonly failures: string[] = [];
  readonly #token: string;
  readonly #underWay = new Map<string, number>();
  #origins: readonly string[];

  constructor(origin: string, token: string) {
    this.#origins = [origin];
    this.#token = token;
  }

  async moveTo(origins: readonly string[]): Promise<void> {
    this.#origins = origins;
    const others = [...this.#underWay.keys()].filter((origin) => !origins.includes(origin));
    while (others.some((origin) => (this.#underWay.get(origin) ?? 0) > 0)) await delay(1);
  }

  /** Sends a request until it is not answered 503 with `Retry-After`. Null where the answer is none of those expected. */
  async send(method: string, asked: Asked, expected: number): Promise<WireAnswer | null> {
    for (;;) {
      const origin = this.#origins[this.requests % this.#origins.length] ?? "";
      this.requests += 1;
      this.#underWay.set(origin, (this.#underWay.get(origin) ?? 0) + 1);
      const answer = await this.#exchange(origin, method, asked).catch((error: unknown) => String(error));
      this.#underWay.set(origin, (this.#underWay.get(origin) ?? 0) - 1);
      if (typeof answer === "string" || answer.status !== expected) {
        if (typeof answer !== "string" && answer.status === 503 && "retry-after" in answer.headers) {
          this.retried += 1;
          continue;
        }
        const told = typeof answer === "string" ? answer : `${answer.status} ${answer.text}`;
        this.failures.push(`${method} ${asked.path}: ${told}`);
        return null;
      }
      return answer;
    }
  }

  #exchange(origin: string, method: string, { path, headers, body }: Asked): Promise<WireAnswer> {
    return exchange(origin, {
      method,
      path: `/scim/v2${path}`,
      headers: {
        authorization: `Bearer ${this.#token}`,
        "content-type": "application/scim+json",
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }
}

/** One client, with users and a group of its own. */
class Client {
  rounds = 0;
  writes = 0;
  readonly users = new Set<KeptUser>();
  readonly deleted: string[] = [];
  group: KeptGroup | null = null;
  readonly #sender: Sender;
  readonly #name: string;

  constructor(sender: Sender, name: string) {
    this.#sender = sender;
    this.#name = name;
  }

  /** One of each kind of request. */
  async round(): Promise<void> {
    const created = await this.#create();
    const replaced = created === null ? null : await this.#replace(created);
    if (replaced !== null) {
      await this.#addMember(replaced.id);
      await this.#find(replaced);
    }
    const [oldest] = this.users;
    if (this.rounds % 3 === 2 && oldest !== undefined) await this.#delete(oldest);
    this.rounds += 1;
  }

  async #create(): Promise<KeptUser | null> {
    const userName = `${this.#name}-${this.rounds}`;
    const nickName = "new";
    const answer = await this.#sender.send("POST", { path: "/Users", body: bodyOf(userName, nickName) }, 201);
    if (answer === null) return null;
    this.writes += 1;
    const id = String(answer.body["id"]);
    const user = { path: `/Users/${id}`, id, userName, nickName, tag: tagOf(answer) };
    this.users.add(user);
    return user;
  }

  async #replace(user: KeptUser): Promise<KeptUser | null> {
    const nickName = `nick-${this.rounds}`;
    const body = bodyOf(user.userName, nickName);
    const headers = { "if-match": user.tag };
    const answer = await this.#sender.send("PUT", { path: user.path, headers, body }, 200);
    if (answer === null) return null;
    this.writes += 1;
    const replaced = { ...user, nickName, tag: tagOf(answer) };
    this.users.delete(user);
    this.users.add(replaced);
    return replaced;
  }

  async #addMember(id: string): Promise<void> {
    this.group ??= await this.#createGroup();
    if (this.group === null) return;
    const body = {
      schemas: [PATCH],
      Operations: [{ op: "add", path: "members", value: [{ value: id }] }],
    };
    const headers = { "if-match": this.group.tag };
    const answer = await this.#sender.send("PATCH", { path: this.group.path, headers, body }, 200);
    if (answer === null) return;
    this.writes += 1;
    this.group = { ...this.group, tag: tagOf(answer), members: new Set([...this.group.members, id]) };
  }

  async #createGroup(): Promise<KeptGroup | null> {
    const displayName = `group of ${this.#name}`;
    const body = { schemas: [GROUP], displayName };
    const answer = await this.#sender.send("POST", { path: "/Groups", body }, 201);
    if (answer === null) return null;
    this.writes += 1;
    return {
      path: `/Groups/${String(answer.body["id"])}`,
      displayName,
      tag: tagOf(answer),
      members: new Set(),
    };
  }

  /** What was acknowledged is found at once, also by the other server. */
  async #find({ id, nickName, userName }: KeptUser): Promise<void> {
    const path = `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`;
    const answer = await this.#sender.send("GET", { path }, 200);
    if (answer === null) return;
    const found = resourcesOf(answer.body).map((user) => [user["id"], user["nickName"]]);
    if (JSON.stringify(found) === JSON.stringify([[id, nickName]])) return;
    this.#sender.failures.push(`GET ${path}: found ${JSON.stringify(found)}`);
  }

  async #delete(user: KeptUser): Promise<void> {
    const headers = { "if-match": user.tag };
    const answer = await this.#sender.send("DELETE", { path: user.path, headers }, 204);
    if (answer === null) return;
    this.writes += 1;
    this.users.delete(user);
    this.deleted.push(user.path);
  }
}

function bodyOf(userName: string, nickName: string): JsonObject {
  return {
    schemas: [USER],
    userName,
    nickName,
    displayName: `${userName} displayed`,
    externalId: `external-${userName}`,
    emails: [{ value: `${userName}@example.com`, type: "work" }],
  };
}

function tagOf({ headers }: WireAnswer): string {
  return headers.etag ?? "";
}
