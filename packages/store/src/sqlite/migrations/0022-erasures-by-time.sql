-- When somebody of a tenant was erased last: what writes the request log asks it with every batch.
-- oldest writer: 1

CREATE INDEX erasures_at ON erasures (tenant, at);
