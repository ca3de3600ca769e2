/**
 * Checks JWTs of foreign issuers: signature, issuer, audience and times (RFC 7519, RFC 7523 §3, RFC 8725).
 * @module
 */
import { errors, jwtVerify, type JWTPayload, type JWTVerifyOptions, type JWTVerifyResult } from "jose";
import { JWT_ALGORITHMS, type JwtAlgorithm } from "./foreign-jwt.ts";
import { createKeySets, KeysUnavailable, type KeyOf, type KeySetOptions, type KeySets } from "./key-sets.ts";

/** A JWT that was found to be good. */
export interface VerifiedJwt {
  /** From when on it is refused, with the difference of clocks: in milliseconds since 1970. */
  readonly expires: number;
  /** Its id, or null. */
  readonly jti: string | null;
  /** The texts of the claim that was asked for; none where it has none. */
  readonly groups: readonly string[];
}

/** What a check came to; a refusal is a sentence that says what is wrong and repeats nothing of the JWT. */
export type JwtOutcome =
  | { readonly kind: "good"; readonly jwt: VerifiedJwt }
  | { readonly kind: "refused"; readonly reason: string }
  /** The keys of the issuer cannot be read. */
  | { readonly kind: "unavailable"; readonly cause: unknown };

/** What a JWT must say, and by whose keys. All of it was entered by an administrator. */
export interface JwtTrust {
  /** Value of `iss`. */
  readonly issuer: string;
  /** Address of the issuer's public keys (RFC 7517). */
  readonly jwksUri: string;
  /** Value that `aud` is or holds. */
  readonly audience: string;
  /** The claim that must hold the subject. */
  readonly claim: string;
  /** Value of that claim. */
  readonly subject: string;
  /** A claim whose texts are told of a good JWT: a list of them, or one. Default: none. */
  readonly groupClaim?: string | undefined;
  /** The algorithms that are taken. Default: all asymmetric ones. */
  readonly algorithms?: readonly JwtAlgorithm[] | undefined;
}

/** Checks a JWT against a trust. */
export type JwtCheck = (text: string, trust: JwtTrust) => Promise<JwtOutcome>;

/** How far clocks may differ, in seconds. */
const SKEW_SECONDS = 60;
/** Longest time that a JWT may still be good for (24 hours, and the difference of clocks). */
const LONGEST_LIFE_SECONDS = 86_400 + SKEW_SECONDS;
/** Longest id of a JWT, in characters. */
const LONGEST_JTI = 256;

/** Keys that are tried at most: whoever sends made-up JWTs that name none has each of them tried, for as long as it takes. */
const MOST_TRIED = 20;

/** Kinds of JWT that say who somebody is: access tokens (RFC 9068 §2.1) and assertions. */
const KINDS = /^(?:application\/)?(?:(?:[\w.-]+-)?at|client-authentication)\+jwt$/i;

/** Makes what checks JWTs. */
export function createJwtCheck(options: KeySetOptions): JwtCheck {
  const keySets = createKeySets(options);
  return async (text, trust) => {
    try {
      const verified = await verifiedIn({ keySets, address: trust.jwksUri }, text, {
        algorithms: [...(trust.algorithms ?? JWT_ALGORITHMS)],
        // Asked of what is signed: whoever found the trust has read the text before.
        issuer: trust.issuer,
        audience: trust.audience,
        clockTolerance: SKEW_SECONDS,
        requiredClaims: ["exp", trust.claim],
        currentDate: new Date(options.now()),
      });
      if (isOfOtherKind(verified)) return refused("The JWT is of a kind that tells something else.");
      return outcomeOf(verified.payload, trust, options.now());
    } catch (error) {
      if (error instanceof KeysUnavailable) return { kind: "unavailable", cause: error };
      return { kind: "refused", reason: reasonOf(error) };
    }
  };
}

/** A key may be changed for another of the same name, or of none: it is not told from one that was made up until the set is read. */
async function verifiedIn(
  { keySets, address }: { readonly keySets: KeySets; readonly address: string },
  text: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await verifiedBy(text, keySets.at(address), options);
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    if (!(await keySets.readAgain(address))) throw error;
    return verifiedBy(text, keySets.at(address), options);
  }
}

/** Too many keys of an issuer may have signed a JWT to try them all. */
class TooManyKeys extends errors.JWSSignatureVerificationFailed {
  override readonly name = "TooManyKeys";
}

/** A JWT need not name its key: of several that may have signed it, each is tried, up to a bound. */
async function verifiedBy(text: string, keyOf: KeyOf, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(text, keyOf, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      tried += 1;
      if (tried > MOST_TRIED) throw new TooManyKeys();
      try {
        return await jwtVerify(text, key, options);
      } catch (failure) {
        // A key that cannot be used, such as a short one, signed nothing (RFC 7517 §5).
        if (
          failure instanceof errors.JOSEError &&
          !(failure instanceof errors.JWSSignatureVerificationFailed)
        )
          throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/**
 * Whether an issuer signed it for another end (RFC 8725 §3.11), such as a Security Event Token or a logout token, which are
 * told to many and may have the same audience and subject. Most issuers give their tokens the kind `JWT`, or none.
 */
function isOfOtherKind({ protectedHeader: { typ = "" }, payload }: JWTVerifyResult): boolean {
  return Object.hasOwn(payload, "events") || (/\+jwt$/i.test(typ) && !KINDS.test(typ));
}

function outcomeOf(payload: JWTPayload, trust: JwtTrust, now: number): JwtOutcome {
  if (payload[trust.claim] !== trust.subject)
    return refused("The subject of the JWT is not the one entered.");
  const { exp = 0, iat, jti } = payload;
  const seconds = now / 1000;
  if (exp - seconds > LONGEST_LIFE_SECONDS) return refused("The JWT is good for more than 24 hours.");
  if (iat !== undefined && iat - seconds > SKEW_SECONDS) return refused("The JWT was issued in the future.");
  const expires = (exp + SKEW_SECONDS) * 1000;
  const groups = groupsOf(payload, trust.groupClaim);
  if (jti === undefined) return { kind: "good", jwt: { expires, jti: null, groups } };
  if (typeof jti !== "string" || jti === "" || jti.length > LONGEST_JTI) {
    return refused("The jti of the JWT must be a text of at most 256 characters.");
  }
  return { kind: "good", jwt: { expires, jti, groups } };
}

function groupsOf(payload: JWTPayload, claim: string | undefined): readonly string[] {
  const value = claim !== undefined && Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
}

function refused(reason: string): JwtOutcome {
  return { kind: "refused", reason };
}

function reasonOf(error: unknown): string {
  if (error instanceof TooManyKeys)
    return `The JWT names no key, and more than ${MOST_TRIED} of its issuer may have signed it.`;
  if (error instanceof errors.JWTExpired) return "The JWT is expired.";
  if (error instanceof errors.JWTClaimValidationFailed) {
    // Names of claims that this module asks for, never values.
    if (error.reason === "missing") return `The JWT has no claim ${error.claim}.`;
    return error.claim === "nbf"
      ? "The JWT is not good yet."
      : `The claim ${error.claim} of the JWT is not as entered.`;
  }
  if (error instanceof errors.JWKSNoMatchingKey)
    return "The JWT is signed by a key that its issuer does not publish.";
  return "The signature of the JWT is not valid.";
}
