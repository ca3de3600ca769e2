/** An issuer of JWTs in the memory of a test: its keys, and how often they were read. */
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

/** A key of an issuer. */
export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function newKey(kid: string, alg = "RS256"): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** An issuer whose published keys may be changed. */
export class Issuer {
  readonly issuer: string;
  keys: readonly IssuerKey[];
  /** What else stands in its set. */
  others: readonly unknown[] = [];
  /** How often its keys were read. */
  reads = 0;
  /** What becomes of reading them, where they cannot be read. */
  failure: Error | null = null;
  /** What happens while they are read. */
  delay: () => unknown = () => undefined;

  constructor(issuer: string, keys: readonly IssuerKey[]) {
    this.issuer = issuer;
    this.keys = keys;
  }

  get jwksUri(): string {
    return `${this.issuer}/keys`;
  }

  readKeys = async (): Promise<unknown> => {
    this.reads += 1;
    await this.delay();
    if (this.failure !== null) throw this.failure;
    return { keys: [...this.others, ...this.keys.map(({ jwk }) => jwk)] };
  };

  async sign(
    claims: JWTPayload,
    { by = this.keys[0], typ = "JWT" }: { readonly by?: IssuerKey | undefined; readonly typ?: string } = {},
  ): Promise<string> {
    if (by === undefined) throw new TypeError("The issuer has no key.");
    return new SignJWT({ iss: this.issuer, ...claims })
      .setProtectedHeader({ alg: by.alg, kid: by.kid, typ })
      .sign(by.privateKey);
  }
}

/** A JWT that nobody signed. */
export function unsigned(claims: JWTPayload): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(claims)}.`;
}
