/**
 * What a credential of any kind stands for, once it is verified.
 * @module
 */

/** Whose data, through which connection, and what may be done with them. */
export interface CredentialGrant {
  readonly tenant: string;
  readonly connection: string;
  /** Id of the credential, by which logs and audit name it: of a token, or of an OAuth client. */
  readonly id: string;
  /** What people call it, or null. */
  readonly name: string | null;
  readonly scopes: readonly string[];
  /** The `id` of the resource that `/Me` stands for, or null. */
  readonly subject: string | null;
  /** UTC with milliseconds, or null for none. */
  readonly expires: string | null;
}

/**
 * Finds what a text stands for among credentials of one kind; null where it is none of them.
 * @param tenant the tenant that the address names, or null
 * @param requestId id of the request that it is asked for; null where nobody told it
 */
export type CredentialSource = (
  text: string,
  tenant: string | null,
  requestId: string | null,
) => Promise<CredentialGrant | null>;
