/**
 * What Fastify and node:sqlite can do at most: one table, no rules. A program of its own.
 * @module
 */
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import fastify, { type FastifyReply } from "fastify";
import { tellAddress } from "./tell-address.ts";

const database = new DatabaseSync(process.argv[2] ?? ":memory:");
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE users (id TEXT PRIMARY KEY, user_name TEXT NOT NULL UNIQUE, body TEXT NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE members (group_id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (group_id, value)) WITHOUT ROWID, STRICT;
`);
const insert = database.prepare("INSERT INTO users (id, user_name, body) VALUES (?, ?, ?)");
const byId = database.prepare("SELECT body FROM users WHERE id = ?");
const byName = database.prepare("SELECT body FROM users WHERE user_name = ?");
const addMember = database.prepare("INSERT OR IGNORE INTO members (group_id, value) VALUES (?, ?)");

interface UserBody {
  readonly id?: string;
  readonly userName: string;
}

const app = fastify();

/** Inserts waiting for the commit that they share. */
const waiting: { readonly user: UserBody; readonly done: () => void }[] = [];

function commitTogether(): void {
  const batch = waiting.splice(0);
  database.exec("BEGIN IMMEDIATE");
  for (const { user } of batch) insert.run(randomUUID(), user.userName, JSON.stringify(user));
  database.exec("COMMIT");
  for (const { done } of batch) done();
}

function sendBody(reply: FastifyReply, row: Record<string, unknown> | undefined): FastifyReply {
  return row === undefined ? reply.code(404).send() : reply.type("application/scim+json").send(row["body"]);
}

app.post<{ Body: UserBody }>("/one-by-one/Users", (request, reply) => {
  const user = request.body;
  insert.run(user.id ?? randomUUID(), user.userName, JSON.stringify(user));
  return reply.code(201).send(user);
});

app.post<{ Body: UserBody }>("/grouped/Users", async (request, reply) => {
  const user = request.body;
  await new Promise<void>((done) => {
    if (waiting.length === 0) setImmediate(commitTogether);
    waiting.push({ user, done });
  });
  return reply.code(201).send(user);
});

app.get<{ Params: { readonly id: string } }>("/Users/:id", (request, reply) =>
  sendBody(reply, byId.get(request.params.id)),
);

app.get<{ Querystring: { readonly filter: string } }>("/Users", (request, reply) =>
  sendBody(reply, byName.get(/"(.*)"/.exec(request.query.filter)?.[1] ?? "")),
);

app.patch<{
  Params: { readonly id: string };
  Body: { readonly Operations: readonly [{ readonly value: readonly [{ readonly value: string }] }] };
}>("/Groups/:id", (request, reply) => {
  addMember.run(request.params.id, request.body.Operations[0].value[0].value);
  return reply.code(204).send();
});

await app.listen({ port: 0 });
tellAddress(app.server);
