/**
 * Reads requests of the token endpoint (RFC 6749 §2.3, §3.2 and §4.4).
 * @module
 */
import { clientOfId } from "./client-text.ts";
import { readUnverified } from "./jwt/foreign-jwt.ts";
import { OAuthError } from "./oauth-error.ts";

/** A request as it came. */
export interface TokenRequest {
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
  /** Network address of the sender, by which refusals are counted. */
  readonly address: string;
  /** Id by which logs name the request. */
  readonly id: string;
}

/** What a request says, whoever sent it. */
export type TokenMessage = Pick<TokenRequest, "contentType" | "authorization" | "body">;

/** What a client proves itself with: one of the two, never both. */
export type ClientProof =
  | { readonly kind: "secret"; readonly clientId: string; readonly secret: string }
  | { readonly kind: "assertion"; readonly clientId: string; readonly assertion: string };

/** What was asked for. */
export interface ClientCredentialsRequest {
  readonly proof: ClientProof;
  /** The scopes that were asked for; null for those that the client may have. */
  readonly scopes: readonly string[] | null;
}

/** Value of `client_assertion_type` for JWTs (RFC 7523 §2.2). */
const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** Parameters of a request at most: far more than any has. */
const MOST_PARAMETERS = 50;

/**
 * Reads a request.
 * @throws OAuthError `invalid_request`, `unsupported_grant_type`, `invalid_client`
 */
export function readTokenRequest(request: TokenMessage): ClientCredentialsRequest {
  const form = readForm(request);
  const grant = form.get("grant_type");
  if (grant === undefined) throw invalid("The parameter grant_type is missing; send client_credentials.");
  if (grant !== "client_credentials") {
    throw new OAuthError(
      "unsupported_grant_type",
      "This token endpoint gives tokens for client_credentials alone.",
    );
  }
  const scope = form.get("scope");
  return {
    proof: proofOf(form, request.authorization),
    scopes: scope === undefined ? null : scope.split(" ").filter((name) => name !== ""),
  };
}

/** The `client_id` of a request, however wrong the rest of it may be; empty where there is none. */
export function claimedClientId(request: TokenMessage): string {
  try {
    return basicOf(request.authorization)?.clientId ?? namedClient(readForm(request)) ?? "";
  } catch (error) {
    if (error instanceof OAuthError) return "";
    throw error;
  }
}

/** RFC 6749 §3.2: parameters without a value are left out, and none is sent more than once. */
function readForm({ contentType, body }: TokenMessage): ReadonlyMap<string, string> {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw invalid("Send the parameters in the body, as application/x-www-form-urlencoded.");
  }
  const form = new Map<string, string>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(body)) {
    count += 1;
    if (count > MOST_PARAMETERS) throw invalid("The request has too many parameters.");
    if (value === "") continue;
    if (form.has(name)) throw invalid("A parameter stands there more than once.");
    form.set(name, value);
  }
  return form;
}

function proofOf(form: ReadonlyMap<string, string>, authorization: string | undefined): ClientProof {
  const basic = basicOf(authorization);
  const [clientId, secret, assertion] = [
    namedClient(form),
    form.get("client_secret"),
    form.get("client_assertion"),
  ];
  const proofs = [basic, secret, assertion].filter((proof) => proof !== undefined && proof !== null);
  if (proofs.length > 1) {
    throw invalid("Authenticate the client in one way: by Basic, by client_secret or by client_assertion.");
  }
  if (basic !== null) {
    if (clientId !== undefined && clientId !== basic.clientId) {
      throw invalid("The header Authorization and client_id name different clients.");
    }
    return basic;
  }
  if (clientId === undefined) {
    // What is no client of this service names none, nor a tenant.
    if (assertion !== undefined || secret !== undefined) throw invalid("The parameter client_id is missing.");
    throw unauthenticated();
  }
  if (secret !== undefined) return { kind: "secret", clientId, secret };
  if (assertion === undefined) throw unauthenticated();
  if (form.get("client_assertion_type") !== JWT_BEARER) {
    throw invalid(`The parameter client_assertion_type must be ${JWT_BEARER}.`);
  }
  return { kind: "assertion", clientId, assertion };
}

/**
 * The client that a request names: `client_id`, or the subject of an assertion that a client signed for itself, which may
 * leave it out (RFC 7521 §4.2, RFC 7523 §3). Either is a claim alone until a secret or a trust of that client proves it.
 */
function namedClient(form: ReadonlyMap<string, string>): string | undefined {
  const [clientId, assertion] = [form.get("client_id"), form.get("client_assertion")];
  if (clientId !== undefined || assertion === undefined) return clientId;
  const subject = readUnverified(assertion, ["sub"])?.subjects.get("sub");
  return subject !== undefined && clientOfId(subject) !== null ? subject : undefined;
}

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are put together for Basic. */
function basicOf(authorization: string | undefined): Extract<ClientProof, { kind: "secret" }> | null {
  if (authorization === undefined) return null;
  const encoded = /^basic +(?<encoded>[A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.groups?.["encoded"];
  const pair = encoded === undefined ? null : decodeBase64(encoded);
  const colon = pair?.indexOf(":") ?? -1;
  if (pair === null || colon < 1) {
    throw new OAuthError(
      "invalid_client",
      "The header Authorization must be Basic with the client_id and the secret.",
    );
  }
  return {
    kind: "secret",
    clientId: formDecoded(pair.slice(0, colon)),
    secret: formDecoded(pair.slice(colon + 1)),
  };
}

function decodeBase64(encoded: string): string | null {
  try {
    return atob(encoded);
  } catch {
    return null;
  }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // A lone percent sign: a client that did not encode. Our ids and secrets hold none.
    return text;
  }
}

function invalid(description: string): OAuthError {
  return new OAuthError("invalid_request", description);
}

function unauthenticated(): OAuthError {
  return new OAuthError(
    "invalid_client",
    "The client must authenticate: by Basic, by client_secret or by client_assertion.",
  );
}
