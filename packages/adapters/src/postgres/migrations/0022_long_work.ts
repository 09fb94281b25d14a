import type { Migration } from "./Migration.js"

/**
 * Work under way is not lost: operations and kills that have not ended are announced by every host each minute.
 * `started_at` stays for hosts of before, which go on writing it until they are stopped.
 */
export const longWork: Migration = {
  id: 22,
  name: "long_work",
  note: "Long work runs on graphile-worker; the tables of the engine before it go.",
  sql: `
DROP TABLE IF EXISTS engine_hosts, engine_locks, engine_messages, engine_migrations, engine_replies, engine_runners;

DROP INDEX operations_unstarted;
CREATE INDEX operations_open ON operations (created_at) WHERE status IN ('queued', 'running', 'waiting_external');
DROP INDEX kills_unstarted;

-- Wake-ups are jobs of graphile-worker, one for each key. While a handler runs, the job that waits under its key is
-- "held": it wakes another host should this one die, and is put off for as long as the handler runs. Each function takes
-- a lock of the key first, so that an announcement that is not committed yet is waited for instead of overlooked.

-- Adds a job or replaces the one that waits. The library adds none where a job is taken in the very same moment.
CREATE FUNCTION work_put(kind text, job_key text, troubles integer, run_at timestamptz, flags text[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  put bigint;
BEGIN
  FOR try IN 1..10 LOOP
    SELECT (graphile_worker.add_job(
      kind, json_build_object('key', substr(job_key, length(kind) + 2), 'troubles', troubles),
      run_at => work_put.run_at, job_key => work_put.job_key, flags => work_put.flags
    )).id INTO put;
    IF put IS NOT NULL THEN RETURN put; END IF;
  END LOOP;
  RAISE EXCEPTION 'the job % could not be added', job_key USING ERRCODE = 'serialization_failure';
END $$;

-- A job that waits is brought forward; one that runs is marked, and runs again when its handler has ended.
CREATE FUNCTION work_announce(kind text, key text, after_ms double precision) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  wakes text := kind || ':' || key;
  due timestamptz := now() + after_ms * interval '1 millisecond';
  waiting record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(wakes, 0));
  SELECT j.run_at, j.flags, j.locked_at IS NULL AS waits INTO waiting FROM graphile_worker.jobs j WHERE j.key = wakes;
  IF waiting.waits AND waiting.flags ? 'held' THEN
    PERFORM work_put(kind, wakes, 0, waiting.run_at, ARRAY['held', 'again']);
  ELSE
    -- Also where nothing changes: nobody takes it before this is committed. One that was just taken, and is not held
    -- yet, gives way to this one, which is as urgent therefore.
    PERFORM work_put(kind, wakes, 0, least(waiting.run_at, due), NULL);
  END IF;
END $$;

-- Before a handler runs: the job that wakes another host in its place. Null where a later one has taken its place.
CREATE FUNCTION work_hold(kind text, key text, taken bigint, troubles integer, lease_ms integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  wakes text := kind || ':' || key;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(wakes, 0));
  IF NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = wakes AND j.id = taken) THEN RETURN NULL; END IF;
  RETURN work_put(kind, wakes, troubles, clock_timestamp() + lease_ms * interval '1 millisecond', ARRAY['held']);
END $$;

-- After it: when the key is woken next, or never where that is null. Nothing where another host has taken over.
CREATE FUNCTION work_end(kind text, key text, held bigint, troubles integer, after_ms double precision) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  wakes text := kind || ':' || key;
  waiting record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(wakes, 0));
  SELECT j.flags INTO waiting FROM graphile_worker.jobs j WHERE j.key = wakes AND j.id = held AND j.locked_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  IF waiting.flags ? 'again' THEN
    PERFORM work_put(kind, wakes, 0, clock_timestamp(), NULL);
  ELSIF after_ms IS NULL THEN
    PERFORM graphile_worker.remove_job(wakes);
  ELSE
    PERFORM work_put(kind, wakes, troubles, clock_timestamp() + after_ms * interval '1 millisecond', NULL);
  END IF;
END $$;

-- How many jobs are due next, and in how long. A job that was taken, and whose host died before it held it, is put back.
-- What is left of jobs whose host died while it held them is deleted once the library may touch it: it has no key.
CREATE FUNCTION work_next(lease_ms integer) RETURNS TABLE (due integer, after_ms double precision)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM work_announce(j.task_identifier, substr(j.key, length(j.task_identifier) + 2), 0)
  FROM graphile_worker.jobs j
  WHERE j.key IS NOT NULL AND j.locked_at < now() - lease_ms * interval '1 millisecond';
  PERFORM graphile_worker.complete_jobs(array_agg(j.id)) FROM graphile_worker.jobs j
  WHERE j.key IS NULL AND (j.locked_at IS NULL OR j.locked_at < now() - interval '4 hours')
  HAVING count(*) > 0;
  RETURN QUERY
    SELECT count(*)::integer, extract(epoch FROM w.run_at - clock_timestamp())::double precision * 1000
    FROM graphile_worker.jobs w WHERE w.locked_at IS NULL AND w.attempts < w.max_attempts
    GROUP BY w.run_at ORDER BY w.run_at LIMIT 1;
END $$;
`
}
