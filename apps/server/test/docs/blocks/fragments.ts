/**
 * Blocks that are part of a larger program: what each leaves out, so that the compiler can check the rest.
 * @module
 */

/** What stands around a block, and why it is not run. */
export interface Fragment {
  readonly why: string;
  /** Declarations that the page takes for granted. */
  readonly given: string;
  /** What the block stands in: text before and behind it. */
  readonly within?: readonly [string, string];
}

/** What a service is made of, but for its store. */
const PARTS = `
import type { ScimServiceOptions as Options } from "@scim/core";
declare const registry: Options["registry"];
declare const sources: Options["sources"];
declare const sqlite: { readonly resources: Options["store"] };
`;
const SERVICE = `${PARTS}
import { createScimService } from "@scim/core";
`;
const HANDLER = `
import type { Authenticator, ScimService } from "@scim/core";
declare const service: ScimService;
declare const authenticate: Authenticator;
`;
const CLIENT = `
import { createScimClient, defineResourceType } from "@scim/client";
import { defineSchema } from "@scim/schemas";
const client = createScimClient({ baseUrl: "https://id.example/scim/v2" });
`;

/** The blocks marked `no-run`, by name. */
export const FRAGMENTS: Readonly<Record<string, Fragment>> = {
  "docs/audit.md js 1": { why: "a function of a verifier; the tests of the audit log call it", given: "" },
  "docs/hooks.md ts 1": {
    why: "part of an application; examples/seats-refused and seats-same-transaction run the like",
    given: `${SERVICE}
import { ScimError } from "@scim/schemas";
declare function seatsLeft(tenant: string, signal: AbortSignal | undefined): Promise<number>;
`,
  },
  "docs/own-database.md ts 1": {
    why: "part of an application; examples/own-users-table runs the like",
    given: `${PARTS}
import type { ResourceHandler } from "@scim/core";
declare const database: object;
declare function usersHandler(database: object): ResourceHandler;
`,
  },
  "docs/own-database.md ts 2": {
    why: "a member of a handler; examples/own-users-table runs the like",
    given: `
import type { ResourceHandler, HandlerQuery } from "@scim/core";
declare function conditionOf(filter: HandlerQuery["filter"]): unknown;
declare const rows: never[];
declare const count: number;
`,
    within: ["export const handler: Pick<ResourceHandler, 'list'> = {\n", "};\n"],
  },
  "docs/own-database.md ts 4": {
    why: "part of a test; examples/own-users-table runs the like",
    given: `
import type { ResourceHandler } from "@scim/core";
import { handlerReport, runHandlerContract } from "@scim/core/testing";
type Options = Parameters<typeof runHandlerContract>[0];
declare const registry: Options["registry"];
declare const sources: Options["sources"];
declare function emptyDatabase(): Promise<object>;
declare function usersHandler(database: object): ResourceHandler;
`,
  },
  "docs/request-log.md ts 1": {
    why: "part of an application; the server wires it like this",
    given: `${HANDLER}
import { createRequestLog, type RequestLogStore } from "@scim/events";
import { createScimHandler } from "@scim/http";
type Options = Parameters<typeof createRequestLog>[0];
declare const parts: Options;
const { catalog, keys, hmac, newId, now, pause, onError } = parts;
declare const store: { readonly requests: RequestLogStore };
`,
  },
  "docs/security-events.md js 1": {
    why: "fetches keys of a service that is not there; the tests of security events verify with it",
    given: "",
  },
  "docs/webhooks.md js 1": { why: "a function of a receiver; the tests of webhooks call it", given: "" },
  "packages/client/README.md ts 2": {
    why: "part of a program that the package's own test runs",
    given: `${CLIENT}
import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from "@scim/schemas";
const DEVICE_SCHEMA = defineSchema({ id: "urn:example:1.0:Device", attributes: [{ name: "serial", type: "string" }] });
const BADGE_SCHEMA = defineSchema({ id: "urn:example:1.0:Badge", name: "Badge", attributes: [{ name: "color", type: "string" }] });
`,
  },
  "packages/client/README.md ts 3": {
    why: "part of a program that the package's own test runs",
    given: `${CLIENT}
const user = await client.users.get("1");
const wanted = { ...user, title: "Dr" };
`,
  },
  "packages/client/README.md ts 4": {
    why: "part of a program that the package's own test runs",
    given: `${CLIENT}
const grace = await client.users.get("1");
const gone = await client.users.get("2");
`,
  },
  "packages/core/README.md ts 2": {
    why: "goes on from the program above it",
    given: `
import type { Precondition, RequestContext, ScimService } from "@scim/core";
import type { JsonObject } from "@scim/schemas";
declare const service: ScimService;
declare const context: RequestContext;
declare const precondition: Precondition;
declare const id: string;
declare const body: JsonObject;
`,
  },
  "packages/events/README.md ts 2": {
    why: "sends to a receiver that is not there; the server wires it like this",
    given: `
declare const ports: Parameters<typeof createWebhook>[0] & Omit<Parameters<typeof createDeliveryWorker>[0], "forms">;
declare const parts: Parameters<typeof createWebhookForm>[0] & Parameters<typeof createPushForm>[0];
declare const events: import("@scim/core").EventFeed;
const { catalog, hmac, seal, now, signer } = parts;
`,
  },
  "packages/http/README.md ts 2": {
    why: "part of two applications; the tests of the package run the like",
    given: `
import type { ScimHandler } from "@scim/http";
import { createFetchHandler } from "@scim/http/fetch";
import { createNodeHandler } from "@scim/http/node";
import type { IncomingMessage } from "node:http";
interface Request extends IncomingMessage {
  readonly protocol: string;
  readonly host: string;
  readonly ip: string | undefined;
}
declare const handler: ScimHandler;
`,
  },
  "packages/http/README.md ts 3": {
    why: "part of an application",
    given: `${HANDLER}
import { createScimHandler } from "@scim/http";
`,
  },
  "packages/http/README.md ts 4": {
    why: "part of an application; the server wires it like this",
    given: `${HANDLER}
import type { HttpRequest } from "@scim/http";
import type { SchemaRegistry } from "@scim/schemas";
declare const registry: SchemaRegistry;
declare const request: HttpRequest;
declare const baseUrl: string;
`,
  },
  "packages/schemas/README.md ts 3": {
    why: "goes on from the program above it",
    given: `
import { createDefaultRegistry, defineSchema } from "@scim/schemas";
const DEVICE_SCHEMA = defineSchema({
  id: "urn:example:params:scim:schemas:acme:1.0:Device",
  attributes: [{ name: "serial", type: "string" }],
});
`,
  },
  "packages/schemas/README.md ts 4": {
    why: "part of a tool",
    given: `
import type { SchemaDefinition } from "@scim/schemas";
declare const released: SchemaDefinition;
declare const draft: SchemaDefinition;
`,
  },
  "packages/store/README.md ts 2": { why: "needs a database", given: "" },
  "packages/tenancy/README.md ts 2": {
    why: "part of an application; the server wires it like this",
    given: `
import { createAuthenticator, createTokenEndpoint, findClientToken } from "@scim/tenancy";
declare const parts: Parameters<typeof createTokenEndpoint>[0];
const { clients, tenants, connections, hasher, checkJwt, randomBytes } = parts;
declare const options: Parameters<typeof createAuthenticator>[0];
`,
  },
};
