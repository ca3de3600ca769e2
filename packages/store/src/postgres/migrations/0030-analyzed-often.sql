-- Tables that a new tenant may soon have much in are analyzed whenever a thousandth of them has changed, and 2,000 rows.
-- oldest writer: 1
--
-- By itself PostgreSQL analyzes a table again when a tenth of it has changed. As long as it has seen no more than 100 tenants in
-- it, it takes one that it has not seen for a single row, and goes through all that this one has to find a user of it: where
-- there are large tenants, for a long time.

ALTER TABLE resources SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 2000);
ALTER TABLE attribute_index SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 2000);
ALTER TABLE unique_values SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 2000);
ALTER TABLE reference_values SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 2000);
ALTER TABLE events SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 2000);
ALTER TABLE audit_entries SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 2000);
ALTER TABLE request_log SET (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 2000);
