/**
 * The rows of the tables of bad input: what is sent, and what becomes of it in each profile.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { Client, Made } from "../over-http/client.ts";
import type { WireAnswer } from "../over-http/exchange.ts";
import type { OwnServer } from "../over-http/in-process.ts";

export const TEST = "urn:example:params:scim:schemas:extension:test:2.0:User";

/** What a row finds: resources that no row has changed, and text that none has used in what was accepted. */
export interface World {
  readonly server: Pick<OwnServer, "origin" | "base" | "token">;
  readonly client: Client;
  /** Has the immutable `badge` B1 and the work address `a@example.com`. */
  readonly user: Made;
  /** Has one member, the user. */
  readonly group: Made;
  readonly unique: string;
  /** The same cursor, its time over. */
  readonly expired: (cursor: string) => string;
}

/** What becomes of a request. */
export type Expected =
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly scimType: string | null;
      /** The detail names what is wrong and says what to do. */
      readonly detail: readonly RegExp[];
    }
  | {
      readonly kind: "accepted";
      readonly status: number;
      /** The switches that let it pass, in the log and in the header that explains. */
      readonly switches: readonly string[];
      /** Members of the answer. */
      readonly holds: JsonObject;
      /** Members that the answer lacks. */
      readonly lacks: readonly string[];
    };

/** One kind of bad input. */
export interface BadInput {
  readonly title: string;
  readonly send: (world: World) => Promise<WireAnswer>;
  readonly strict: Expected;
  readonly tolerant: Expected;
}

/** The request fails with an error of RFC 7644 §3.12. */
export function refused(status: number, scimType: string | null, ...detail: readonly RegExp[]): Expected {
  return { kind: "refused", status, scimType, detail };
}

/** The request succeeds. */
export function accepted(
  status: number,
  switches: readonly string[],
  answer: { readonly holds?: JsonObject; readonly lacks?: readonly string[] } = {},
): Expected {
  return { kind: "accepted", status, switches, holds: answer.holds ?? {}, lacks: answer.lacks ?? [] };
}

/** A row with the same outcome in both profiles. */
export function always(title: string, expected: Expected, send: BadInput["send"]): BadInput {
  return { title, send, strict: expected, tolerant: expected };
}

/** A POST of a User that is fine but for the members given. */
export function postUser(attributes: (world: World) => JsonObject): BadInput["send"] {
  return (world) =>
    world.client.call("POST", "/Users", {
      body: {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
        userName: `new-${world.unique}`,
        ...attributes(world),
      },
    });
}

/** A PUT of the user that is fine but for the members given. */
export function putUser(attributes: (world: World) => JsonObject): BadInput["send"] {
  return (world) =>
    world.client.call("PUT", world.user.path, {
      body: {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
        userName: `user-${world.unique}`,
        [TEST]: { badge: "B1" },
        ...attributes(world),
      },
    });
}

/** A PATCH of the user with these operations. */
export function patchUser(...operations: readonly JsonObject[]): BadInput["send"] {
  return (world) => world.client.patch(world.user.path, operations);
}
