/**
 * Sends the request of a case to a service of its own, in memory, and compares the answer.
 * @module
 */
import { randomBytes } from "node:crypto";
import {
  ALL_CONSTRAINTS,
  createProfile,
  createScimService,
  PROFILES,
  type Profile,
  type Scope,
  type SwitchName,
} from "@scim/core";
import {
  type CaseAnswer,
  type CaseDifference,
  compareAnswer,
  fillPlaceholders,
  type RequestCase,
} from "@scim/events";
import { createScimHandler, type ScimHandler } from "@scim/http";
import { createDefaultRegistry, isJsonObject, type JsonValue } from "@scim/schemas";
import { openSqliteStore } from "@scim/store/sqlite";
import { createCursorSeal } from "../store/cursor-seal.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { addDocuments } from "../schemas/schema-folder.ts";
import { SOURCES } from "../sources.ts";

/** What came of a case. */
export interface ReplayedCase {
  readonly answer: CaseAnswer;
  /** The same with placeholders in the place of the ids of given resources, which differ from one service to the next. */
  readonly placed: CaseAnswer;
  /** None where the answer is as expected. */
  readonly differences: readonly CaseDifference[];
}

const BASE_URL = "https://example.invalid/scim/v2";

/**
 * Replays a case.
 * @throws CommandFailure where its documents or given resources cannot be used
 */
export async function replayCase(of: RequestCase): Promise<ReplayedCase> {
  const store = await openSqliteStore({ path: ":memory:" });
  try {
    const registry = createDefaultRegistry();
    // People may have written null for none, as of a body.
    const { limits = null } = of;
    addDocuments(
      "The case",
      of.documents.map((document, at) => ({ source: `document ${at}`, document })),
      registry,
    );
    const service = createScimService({
      registry,
      store: store.resources,
      sources: SOURCES,
      ...(limits === null ? {} : { limits }),
      cursorSeal: createCursorSeal([{ id: "case", secret: randomBytes(32) }]),
    });
    const under = (profile: Profile): ScimHandler =>
      createScimHandler({ service, authenticate: async () => ({ ...PRINCIPAL, profile }) });
    const profile = createProfile(of.profile.name, of.profile.switches);
    const ids = await makeGiven(under(givenProfile(profile)), of);
    const { method, path, headers, body } = of.request;
    const answer = await send(under(profile), {
      method,
      path: fillPlaceholders(path, ids),
      headers,
      body: body === null ? null : fillPlaceholders(body, ids),
    });
    const expected = { ...of.expect, ...filledBody(of.expect, ids) };
    return { answer, placed: placedAnswer(answer, ids), differences: compareAnswer(expected, answer) };
  } finally {
    await store.close();
  }
}

function filledBody({ body }: CaseAnswer, ids: ReadonlyMap<string, string>): Pick<CaseAnswer, "body"> {
  return body === undefined || body === null ? {} : { body: fillPlaceholders(body, ids) };
}

function placedAnswer({ status, body = null }: CaseAnswer, ids: ReadonlyMap<string, string>): CaseAnswer {
  let text = JSON.stringify(body);
  for (const [name, id] of ids) text = text.replaceAll(id, `\${${name}.id}`);
  // Ids stand in texts alone: the shape stays.
  return { status, body: JSON.parse(text) as JsonValue };
}

const PRINCIPAL = {
  tenant: "default",
  connection: "default",
  scopes: new Set<Scope>(["scim"]),
  subject: null,
} as const;

/**
 * What given resources are made under: they were there, whatever the profile of the request would say of them, so every
 * tolerance is on. Rules of uniqueness are those of the profile, since they hold for what was made under them alone.
 */
function givenProfile({ switches }: Profile): Profile {
  const constraints = new Set<SwitchName>(ALL_CONSTRAINTS.map(({ name }) => name));
  const tolerances = [...PROFILES.tolerant.switches].filter((name) => !constraints.has(name));
  const own = [...switches].filter((name) => constraints.has(name));
  return createProfile("given", [...tolerances, ...own]);
}

async function makeGiven(handler: ScimHandler, { given }: RequestCase): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const { name, endpoint, resource } of given) {
    const { status, body } = await send(handler, {
      method: "POST",
      path: endpoint,
      headers: {},
      body: fillPlaceholders(resource, ids),
    });
    const id = isJsonObject(body ?? undefined) ? ownId(body ?? null) : null;
    if (status !== 201 || id === null) {
      throw new CommandFailure(
        EXIT.failed,
        `The given resource ${name} cannot be made: ${status} ${JSON.stringify(body)}`,
      );
    }
    ids.set(name, id);
  }
  return ids;
}

function ownId(body: JsonValue): string | null {
  const id = isJsonObject(body) ? body["id"] : null;
  return typeof id === "string" ? id : null;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

async function send(handler: ScimHandler, { method, path, headers, body }: Sent): Promise<CaseAnswer> {
  const answer = await handler.handle({
    method,
    target: path,
    headers: {
      ...(body === null ? {} : { "content-type": "application/scim+json" }),
      authorization: "Bearer case",
      ...headers,
    },
    body: body === null ? null : new TextEncoder().encode(JSON.stringify(body)),
    baseUrl: BASE_URL,
    tenant: null,
    signal: undefined,
    id: "case",
  });
  let text = "";
  if (typeof answer.body === "string") text = answer.body;
  else if (answer.body !== null) for await (const piece of answer.body) text += piece;
  // The handler answers JSON.
  return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as JsonValue) };
}
