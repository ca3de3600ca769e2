/**
 * The body of a group of many members.
 * @module
 */
import { GROUP_URN } from "@scim/schemas";

const ENCODER = new TextEncoder();

/** Ids in no order, as those that an identity provider sends. */
export function idOf(index: number): string {
  const scattered = (index * 2_654_435_761) % 4_294_967_296;
  return `${scattered.toString(16).padStart(8, "0")}-0000-7000-8000-${index.toString(16).padStart(12, "0")}`;
}

/** Bytes of a member, and of the comma behind it. */
export const MEMBER_BYTES = `${memberOf(0)},`.length;

/** The whole body, as it is sent. */
export function groupBody(members: number): Uint8Array {
  const beginning = `{"schemas":["${GROUP_URN}"],"displayName":"Everyone","members":[`;
  const body = new Uint8Array(beginning.length + members * MEMBER_BYTES + 2);
  let length = write(body, 0, beginning);
  for (let index = 0; index < members; index += 1) length = write(body, length, `${memberOf(index)},`);
  // The end of the list stands where the last comma did.
  if (members > 0) length -= 1;
  return body.subarray(0, write(body, length, "]}"));
}

function memberOf(index: number): string {
  return `{"value":"${idOf(index)}","type":"User"}`;
}

function write(body: Uint8Array, at: number, text: string): number {
  return at + ENCODER.encodeInto(text, body.subarray(at)).written;
}
