/**
 * Streams of Security Event Tokens made, and who may poll them.
 * @module
 */
import { ScimError } from "@scim/schemas";
import {
  changedSettings,
  checkAddress,
  checkSentSecret,
  checkSettings,
  findReceiver,
  replaceReceiver,
  type ReceiverChange,
  type ReceiverPorts,
  type ReceiverTarget,
} from "../delivery/administration.ts";
import { addReceiver, beginningOf, newReceiver } from "../delivery/new-receiver.ts";
import { readableSecrets, withNewSecret } from "../delivery/good-secrets.ts";
import type { ReceiverStore, SecretSeal } from "../delivery/port.ts";
import type { Receiver, ReceiverName, ReceiverSecret } from "../delivery/receiver.ts";
import type { DigestKey, KeyedDigest } from "../keys.ts";
import { currentSigningKey, type SigningKeyPorts } from "./signing-keys.ts";

/** What administration of streams needs. */
export interface StreamPorts extends ReceiverPorts, SigningKeyPorts {
  readonly randomBytes: (length: number) => Uint8Array;
}

/** A stream to make. */
export interface NewStream {
  readonly tenant: string;
  /** `push`: tokens are sent to `url`; `poll`: the receiver asks for them. */
  readonly method: "push" | "poll";
  readonly url?: string | undefined;
  /** Whom tokens name in `aud`. Default: `url`; a stream that is polled must state it. */
  readonly audience?: string | undefined;
  /** The header `Authorization` of pushes. Default: none. */
  readonly authorization?: string | undefined;
  /** Which events: `User`, `User.deleted`, `*.deleted`. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** `reference` (default): notices; `full`: the data as well. */
  readonly payload?: Receiver["payload"] | undefined;
  /** The position that it begins behind. Default: the last. */
  readonly since?: number | undefined;
}

/** A stream; of one that is polled the token that nothing shows again. */
export interface MadeStream {
  readonly receiver: Receiver;
  readonly token: string | null;
}

const LONGEST_AUDIENCE = 2048;
const AUDIENCE = new RegExp(String.raw`^\P{Cc}{1,${LONGEST_AUDIENCE}}$`, "u");
const AUTHORIZATION = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;
const TOKEN_BYTES = 32;

/**
 * Makes a stream, and the first signing key where there is none.
 * @throws ScimError `invalidValue`
 */
export async function createStream(ports: StreamPorts, wanted: NewStream): Promise<MadeStream> {
  const { tenant, method, url, audience = null, authorization, types = [], payload = "reference" } = wanted;
  checkStream(wanted);
  checkSettings(ports, { url, types });
  const position = await beginningOf(ports, { family: "stream", tenant }, wanted.since);
  const token = method === "poll" ? newToken(ports) : null;
  const text = token ?? authorization;
  const receiver = newReceiver(ports, {
    tenant,
    kind: method,
    url: url ?? "",
    types,
    payload,
    audience,
    position,
    secrets: text === undefined ? [] : [sealed(ports, text)],
  });
  await currentSigningKey(ports);
  await addReceiver(ports, receiver);
  return { receiver, token };
}

function checkStream({ method, url, audience, authorization }: NewStream): void {
  checkAddress(method, url);
  if (audience === undefined ? method === "poll" : !AUDIENCE.test(audience)) {
    throw new ScimError(
      "invalidValue",
      `State the audience of tokens in 1 to ${LONGEST_AUDIENCE} characters, none of them a control character.`,
    );
  }
  if (authorization !== undefined) checkAuthorization(method, authorization);
}

function checkAuthorization(kind: Receiver["kind"], authorization: string | null): void {
  if (kind === "push" && (authorization === null || AUTHORIZATION.test(authorization))) return;
  throw new ScimError("invalidValue", "The header Authorization goes with pushes, in printable ASCII.");
}

/** What changes of a stream; what is left out stays. */
export interface StreamChange extends ReceiverChange {
  /** The header `Authorization` of pushes; null for none. An address of another origin asks for it where there is one. */
  readonly authorization?: string | null | undefined;
}

/**
 * Changes a stream. One that is made active is no longer disabled, and goes on where it stopped.
 * @throws ScimError `notFound`, `versionMismatch`; `invalidValue`, also where pushes would bear their header `Authorization` to
 *   another origin than the one that it is for
 */
export async function changeStream(
  ports: StreamPorts,
  target: Omit<ReceiverTarget, "family">,
  { authorization, ...change }: StreamChange,
): Promise<Receiver> {
  checkSettings(ports, change);
  const secrets = typeof authorization === "string" ? [sealed(ports, authorization)] : [];
  return replaceReceiver(ports, { ...target, family: "stream" }, (before) => {
    if (authorization === undefined) {
      checkSentSecret(before, change);
      return changedSettings(before, change);
    }
    checkAuthorization(before.kind, authorization);
    return { ...changedSettings(before, change), secrets };
  });
}

function newToken({ randomBytes }: StreamPorts): string {
  const text = btoa(String.fromCharCode(...randomBytes(TOKEN_BYTES)));
  return `scim_events_${text.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")}`;
}

function sealed({ seal, newId, now }: StreamPorts, text: string): ReceiverSecret {
  return { id: newId(), sealed: seal.seal(text), created: new Date(now()).toISOString(), expires: null };
}

/**
 * Gives a stream that is polled a new token. The others stay good for a time, so that the receiver can change over.
 * @param overlap milliseconds: 0 or more
 * @throws ScimError `notFound`, `invalidValue` where the stream is pushed
 */
export async function rotateStreamToken(
  ports: StreamPorts,
  name: ReceiverName,
  overlap: number,
): Promise<MadeStream> {
  const { kind } = await findReceiver(ports, "stream", name);
  if (kind !== "poll") throw new ScimError("invalidValue", "A stream that is pushed has no token.");
  const token = newToken(ports);
  const secret = sealed(ports, token);
  const receiver = await replaceReceiver(ports, { family: "stream", name }, ({ secrets }) => ({
    secrets: withNewSecret(secrets, secret, overlap),
  }));
  return { receiver, token };
}

/** What a poll is authorized with. */
export interface PollCredentials {
  readonly receivers: Pick<ReceiverStore, "find">;
  readonly seal: Pick<SecretSeal, "open">;
  readonly now: () => number;
  readonly hmac: KeyedDigest;
  readonly keys: readonly DigestKey[];
}

/** Whether a token may poll a stream: false as well where there is no such stream, or no token of it can be read. */
export async function mayPoll(
  { receivers, seal, now, hmac, keys }: PollCredentials,
  name: ReceiverName,
  token: string,
): Promise<boolean> {
  const receiver = await receivers.find(name);
  const [key] = keys;
  if (receiver?.kind !== "poll" || key === undefined || receiver.state === "disabled") return false;
  // Hashes are compared, so that no time tells how much of a token is right.
  const given = hmac(key.secret, token);
  return readableSecrets(seal, receiver.secrets, now()).some((secret) => hmac(key.secret, secret) === given);
}
