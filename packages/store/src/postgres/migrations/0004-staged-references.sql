-- Values of a collection that are brought in before the write that takes them over.
-- oldest writer: 1
--
-- Nobody but the one who opened a stage reads it. Rows of stages that were never closed go with the purge.

CREATE TABLE reference_stages (
  tenant  text COLLATE "C" NOT NULL,
  stage   text COLLATE "C" NOT NULL,
  created text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, stage)
);

CREATE TABLE staged_references (
  tenant   text COLLATE "C" NOT NULL,
  stage    text COLLATE "C" NOT NULL,
  path     text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  value    text COLLATE "C" NOT NULL,
  rest     text COLLATE "C" NOT NULL, -- as sent
  settled  text COLLATE "C",          -- what stands beside a value that stays, where that is not what was sent
  PRIMARY KEY (tenant, stage, path, position)
);

-- A value is staged once: the first of equal ones stays.
CREATE UNIQUE INDEX staged_references_value ON staged_references (tenant, value, stage, path);
