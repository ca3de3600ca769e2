/**
 * `@scim/sync/records`: cuts files into records, piece by piece, whatever their size: CSV, JSON lines, lists of JSON,
 * LDIF.
 * @module
 */
export { columnNames, headDelimiter, withWholeHeader } from "./csv-head.ts";
export { cutCsv, delimiterOf, fieldsOf } from "./cut-csv.ts";
export { cutElements } from "./cut-elements.ts";
export { cutLdif, readLdif, type LdifAttributes } from "./cut-ldif.ts";
export { cutLines } from "./cut-lines.ts";
export { decodeSource, EncodingError, requireUtf8 } from "./decode.ts";
export { type FileFormat, formatByName } from "./file-format.ts";
export { FileReadError, readFilePieces } from "./read-file.ts";
export type { Cutter, RawRecord } from "./record.ts";
