-- Of which resource an erasure began where resources of several types have one id.
-- oldest writer: 1
--
-- A program without this migration leaves it out, and erases what has the id, whatever its type.

-- Null: nothing tells it.
ALTER TABLE erased_lately ADD COLUMN type text COLLATE "C";
