-- Which indexes are still to be built or dropped: each process looks for them every second, and most are ready.
-- oldest writer: 1
--
-- A program with this migration notes every change of the catalog in a row of the service too, the one of the tenant 'admin' without
-- a type in index_revisions: others need not look at all rows to hear of it. Of what a program without it changes they hear
-- within a minute.

CREATE INDEX attribute_indexes_unready ON attribute_indexes (since, tenant, type, path) WHERE state <> 'ready';
