-- Which changes guards hold that nobody has decided on, and which were not sent again for long.
-- oldest writer: 1
--
-- Of a connection there may be tens of thousands, and each change that it sends asks.

CREATE INDEX guard_held_undecided ON guard_held (tenant, connection, measure, type, first_at) WHERE released IS NULL;
CREATE INDEX guard_held_last ON guard_held (tenant, last_at, connection, measure, type, resource);
