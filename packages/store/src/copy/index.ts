/**
 * `@scim/store/copy`: moves what a store holds to another. This file is the whole public surface.
 * @module
 */
export type { Checksum } from "./checksums.ts";
export { copyStore, type CopyOptions, type CopyResult } from "./copy-store.ts";
