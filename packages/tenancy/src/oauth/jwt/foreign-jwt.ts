/**
 * JWTs of foreign issuers (RFC 7519), read as far as rows are found by them. Nothing here is believed before the
 * signature is checked.
 * @module
 */

/** What a JWT says of itself. */
export interface UnverifiedJwt<Claim extends string> {
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** The claims that may name its subject, as far as it has them. */
  readonly subjects: ReadonlyMap<Claim, string>;
}

/** Longest JWT that is looked at, in characters; those of identity providers have 1000 to 4000. */
const LONGEST_JWT = 16_384;
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** The algorithms that are taken: asymmetric ones alone, so never `none` and no shared secret. */
export const JWT_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

/** One of the algorithms that are taken. */
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

/** Tells whether a text is one of them. */
export function isJwtAlgorithm(text: string): text is JwtAlgorithm {
  return JWT_ALGORITHMS.some((algorithm) => algorithm === text);
}

/**
 * Reads a signed JWT in compact form; null where the text is none, is too long, or is signed by an algorithm that is
 * not taken.
 * @param subjectClaims the claims that may name its subject
 */
export function readUnverified<Claim extends string>(
  text: string,
  subjectClaims: readonly Claim[],
): UnverifiedJwt<Claim> | null {
  if (text.length > LONGEST_JWT || !COMPACT.test(text)) return null;
  const [header, payload] = text.split(".", 2).map(partOf);
  const algorithm = header?.get("alg");
  const issuer = payload?.get("iss");
  if (payload === undefined || payload === null || typeof issuer !== "string") return null;
  if (typeof algorithm !== "string" || !isJwtAlgorithm(algorithm)) return null;
  const audience = payload.get("aud");
  const subjects = subjectClaims.flatMap((claim) => {
    const value = payload.get(claim);
    return typeof value === "string" ? [[claim, value] as const] : [];
  });
  return {
    issuer,
    audiences: (Array.isArray(audience) ? audience : [audience]).filter((value) => typeof value === "string"),
    subjects: new Map(subjects),
  };
}

/** The members of a part; null where it is no JSON object. */
function partOf(encoded: string): ReadonlyMap<string, unknown> | null {
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value))
      : null;
  } catch {
    return null;
  }
}
