/**
 * What a look at the references of a tenant tells: it reports, and enforces nothing.
 * @module
 */

/** A value of a reference collection that names no resource. */
export interface OrphanedGroupMember {
  /** Id of the resource that holds the collection: of `Group.members` a Group. */
  readonly groupId: string;
  /** The id that it names. */
  readonly memberId: string;
  /** What is wrong, for people; names types, attributes and ids, and no other value. */
  readonly issue: string;
}

/** A resource whose groups cannot be told as one would expect. */
export interface InconsistentUserGroups {
  /** Id of the resource that is named as a member. */
  readonly userId: string;
  /** What is wrong, for people. */
  readonly issue: string;
}

/** A value of a reference collection that is part of a circle: what it names holds its holder, itself or through others. */
export interface CyclicGroupMember {
  readonly groupId: string;
  readonly memberId: string;
  /** What is wrong, for people. */
  readonly issue: string;
}

/** What each list of a report holds. */
export interface FindingsByList {
  readonly orphanedGroupMembers: OrphanedGroupMember;
  readonly inconsistentUserGroups: InconsistentUserGroups;
  readonly cyclicGroupMembers: CyclicGroupMember;
}

/** Name of a list of a report. */
export type FindingList = keyof FindingsByList;

/** Whatever a list holds. */
export type Finding = FindingsByList[FindingList];

/** The lists in the order of a report. */
export const FINDING_LISTS: readonly FindingList[] = [
  "orphanedGroupMembers",
  "inconsistentUserGroups",
  "cyclicGroupMembers",
];

/** How a report is asked for. */
export interface DiagnosticsRequest {
  /** Most findings of a page: 1 to `limits.maxResults`; null for `limits.pageSize`. */
  readonly count: number | null;
  /** Where to go on; empty text for the first page; null for the whole report, where `count` is null too. */
  readonly cursor: string | null;
}

/** The whole report, of one state of the tenant. What it is read from is held until `close`. */
export interface DiagnosticsReport {
  readonly kind: "report";
  /** In order, each to be gone through once and before the next; batches may be empty. */
  readonly lists: readonly {
    readonly name: FindingList;
    readonly batches: AsyncIterable<readonly Finding[]>;
  }[];
  /** More than once does no harm. */
  close(): Promise<void>;
}

/** A part of a report. It may hold fewer findings than asked for, or none, though others come behind it. */
export interface DiagnosticsPage {
  readonly kind: "page";
  readonly lists: Readonly<Record<FindingList, readonly Finding[]>>;
  /** Where to go on; null on the last page. */
  readonly nextCursor: string | null;
}

/** What a service answers to a {@link DiagnosticsRequest}. */
export type DiagnosticsAnswer = DiagnosticsReport | DiagnosticsPage;
