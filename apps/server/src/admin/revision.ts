/**
 * Revisions as entity tags: a change names the one that it is meant for.
 * @module
 */
import { parseEntityTags } from "@scim/core";
import { ScimError } from "@scim/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The entity tag of a revision. */
export function etagOf(revision: number): string {
  return `W/"${revision}"`;
}

/** Answers what has a revision: 304 where the client has it. */
export function answerRevised(
  request: FastifyRequest,
  reply: FastifyReply,
  { revision, body }: { readonly revision: number; readonly body: unknown },
): unknown {
  reply.header("etag", etagOf(revision));
  const known = request.headers["if-none-match"];
  const tags = known === undefined || request.method !== "GET" ? [] : parseEntityTags("If-None-Match", known);
  if (tags !== "*" && !tags.includes(String(revision))) return body;
  return reply.code(304).send();
}

/**
 * The revision that a change is meant for (RFC 9110 §13.1.1); null for whichever there is (`*`).
 * @throws ScimError `versionRequired` without `If-Match`, `versionMismatch` where it names none that there is,
 *   `invalidSyntax`
 */
export function expectedRevision(
  request: FastifyRequest,
  { revision }: { readonly revision: number },
): number | null {
  const given = request.headers["if-match"];
  const headers = { etag: etagOf(revision) };
  if (given === undefined) {
    throw new ScimError("versionRequired", `Send If-Match with the present version, ${headers.etag}.`, {
      headers,
      members: { currentVersion: String(revision) },
    });
  }
  const tags = parseEntityTags("If-Match", given);
  if (tags === "*") return null;
  if (tags.includes(String(revision))) return revision;
  throw new ScimError("versionMismatch", `It was changed meanwhile; its version is ${headers.etag} now.`, {
    headers,
    members: {
      expectedVersion: tags.length === 1 ? (tags[0] ?? "") : [...tags],
      currentVersion: String(revision),
    },
  });
}
