/**
 * The diagnostic address: which references of the tenant name nothing, and which hold together badly.
 * @module
 */
import type { DiagnosticsPage, DiagnosticsReport } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { createBodyStream, type StreamTimes } from "./body-stream.ts";
import type { Call } from "./call.ts";
import { streamTimes } from "./limits.ts";
import { requireAcceptable, SCIM_MEDIA_TYPE } from "./media-types.ts";
import { headerOf, type HttpResponse } from "./message.ts";
import { requireUntagged } from "./preconditions.ts";
import { diagnosticsOf, hasParameter, parseQuery } from "./query-parameters.ts";
import { noSuchAddress } from "./routes.ts";

/**
 * Answers with the whole report as a stream or, where the request has `count` or `cursor`, with a page of it.
 * @throws ScimError `notFound` for another tenant than the caller's; `invalidFilter` for any filter; `versionMismatch`; what `ScimService.diagnose` throws
 */
export async function diagnose(call: Call): Promise<HttpResponse> {
  requireAcceptable(headerOf(call.request, "accept"));
  requireUntagged(call.request);
  if (hasParameter(call.query, "filter")) {
    throw new ScimError(
      "invalidFilter",
      "Diagnostics take no filter; read the whole report, or pages of it.",
    );
  }
  const parameters = parseQuery(call.query);
  const tenant = parameters.get("tenantId");
  if (tenant !== undefined && tenant !== call.context.tenant) throw noSuchAddress();
  const answer = await call.service.diagnose(call.context, diagnosticsOf(parameters));
  return {
    status: 200,
    headers: { "content-type": SCIM_MEDIA_TYPE, "cache-control": "no-store" },
    body: answer.kind === "page" ? pageText(answer) : bodyOf(answer, streamTimes(call.limits)),
  };
}

function pageText({ lists, nextCursor }: DiagnosticsPage): string {
  return JSON.stringify({ ...lists, ...(nextCursor === null ? {} : { nextCursor }) });
}

function bodyOf(report: DiagnosticsReport, times: StreamTimes): HttpResponse["body"] {
  return createBodyStream({ pieces: reportText(report), ...times, close: () => report.close() });
}

/** Batches without findings give no text, so that the client is asked for patience and not for reading. */
async function* reportText({ lists }: DiagnosticsReport): AsyncGenerator<string, void, undefined> {
  for (const [index, { name, batches }] of lists.entries()) {
    yield `${index === 0 ? "{" : ","}${JSON.stringify(name)}:[`;
    let separator = "";
    for await (const findings of batches) {
      if (findings.length === 0) continue;
      yield separator + JSON.stringify(findings).slice(1, -1);
      separator = ",";
    }
    yield "]";
  }
  yield "}";
}
