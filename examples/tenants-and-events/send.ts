/**
 * Sends events to receivers. Whoever may make a receiver says where to, so each connection is made to an address that was checked,
 * and no redirect is followed.
 * @module
 */
import { lookup } from "node:dns";
import { request, type RequestOptions } from "node:http";
import { request as requestByTls } from "node:https";
import {
  addressOfHost,
  type AllowedAddresses,
  isPublicAddress,
  type SendEvent,
  type SendOutcome,
} from "@scim/events";

const PATIENCE_MS = 10_000;
/** Characters of an answer that say enough. */
const LONGEST_BODY = 4096;

/** Makes what sends; it never rejects. */
export function createSend({ privateAddresses }: AllowedAddresses): SendEvent {
  const mayReach = (address: string): boolean => privateAddresses || isPublicAddress(address);
  const lookUp: NonNullable<RequestOptions["lookup"]> = (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const refused = found.find(({ address }) => !mayReach(address));
      if (refused === undefined) return done(null, found);
      return done(new Error("it leads to a private network"), []);
    });
  };
  return ({ url, headers, body }) => {
    const target = new URL(url);
    const literal = addressOfHost(target.hostname);
    if (literal !== null && !mayReach(literal))
      return Promise.resolve(failed("it leads to a private network"));
    return new Promise((resolve) => {
      const options = { method: "POST", headers, lookup: lookUp, signal: AbortSignal.timeout(PATIENCE_MS) };
      const call = target.protocol === "https:" ? requestByTls : request;
      const fail = (error: Error): void => resolve(failed(error.message));
      call(target, options, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("error", fail);
        answer.on("data", (part: string) => {
          text = (text + part).slice(0, LONGEST_BODY);
        });
        answer.on("end", () => {
          const seconds = Number(answer.headers["retry-after"]);
          const retryAfter = Number.isFinite(seconds) ? seconds : null;
          resolve({ kind: "answered", status: answer.statusCode ?? 0, retryAfter, body: text });
        });
      })
        .on("error", fail)
        .end(body);
    });
  };
}

function failed(reason: string): SendOutcome {
  return { kind: "failed", problem: `The receiver cannot be reached: ${reason}.` };
}
