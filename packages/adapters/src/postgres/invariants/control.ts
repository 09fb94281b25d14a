/** Invariants of kills, change requests, the control log and late lookups. */
import { KEPT_SECONDS_MAX, PENDING_SECONDS_MAX, TRIES_MAX } from "@outbound/domain/sources/Later.js"
import { type Invariant, rule } from "./Invariant.js"

/** Largest difference between two hosts' clocks. */
const CLOCK_TOLERANCE = "interval '5 seconds'"

export const controlInvariants: ReadonlyArray<Invariant> = [
  rule(
    "suspensions_are_kills",
    "A workspace is suspended exactly while a kill of it stands."
  )(`
    SELECT s.workspace_id, COALESCE('kill ' || k.kill_id, 'suspended without a kill') AS breach
    FROM workspace_sending s LEFT JOIN kills k ON k.workspace_id = s.workspace_id AND k.cleared_at IS NULL
    WHERE (s.suspended_at IS NULL) <> (k.kill_id IS NULL) OR s.suspended_at <> k.suspended_at
  `),
  rule(
    "killed_campaigns_never_restart",
    "A campaign that a kill paused stays paused by it, for ever."
  )(`
    SELECT k.workspace_id, 'campaign ' || k.campaign_id || ' of kill ' || k.kill_id AS breach
    FROM killed_campaigns k
    JOIN campaigns c ON c.workspace_id = k.workspace_id AND c.campaign_id = k.campaign_id
    WHERE c.state <> 'completed' AND (c.state <> 'paused' OR c.pause_reason IS DISTINCT FROM 'killed')
  `),
  rule(
    "nothing_is_claimed_under_a_kill",
    "No message that may have left is claimed between a kill and its end."
  )(`
    SELECT m.workspace_id, 'message ' || m.message_id || ' under kill ' || k.kill_id AS breach
    FROM kills k JOIN messages m ON m.workspace_id = k.workspace_id AND m.state <> 'failed'
      AND m.claimed_at > k.suspended_at + ${CLOCK_TOLERANCE}
      AND m.claimed_at < COALESCE(k.cleared_at, 'infinity') - ${CLOCK_TOLERANCE}
  `),
  rule(
    "granted_changes_are_logged",
    "A change request that an owner approved is one row of the control log."
  )(`
    SELECT r.workspace_id, 'change request ' || r.change_request_id AS breach
    FROM change_requests r
    WHERE (r.state = 'approved') <> (
      1 = (
        SELECT count(*) FROM control_log l
        WHERE l.workspace_id = r.workspace_id AND l.change_request_id = r.change_request_id AND l.key_id = r.key_id
      )
    )
  `),
  rule(
    "sandboxes_ask_no_vendor",
    "A sandbox has no credential with a vendor and no sending domain, and its calls cost nothing there."
  )(`
    SELECT k.workspace_id, 'key with ' || k.vendor AS breach
    FROM own_keys k LEFT JOIN workspaces w ON w.workspace_id = k.workspace_id
    WHERE w.kind IS DISTINCT FROM 'live'
    UNION ALL
    SELECT d.workspace_id, 'domain ' || d.domain
    FROM sending_domains d LEFT JOIN workspaces w ON w.workspace_id = d.workspace_id
    WHERE w.kind IS DISTINCT FROM 'live'
    UNION ALL
    SELECT r.workspace_id, 'costs of call ' || r.request_id
    FROM requests r JOIN workspaces w ON w.workspace_id = r.workspace_id
    WHERE r.costs IS NOT NULL AND r.request_id >= checked_from() AND w.kind <> 'live'
  `),
  rule(
    "follow_ups_end",
    "What is asked for after a call is given up in time, and what came of it is not kept for ever."
  )(`
    SELECT f.workspace_id, 'follow-up ' || f.follow_up_id || ' of ' || f.source AS breach
    FROM follow_ups f
    WHERE f.tries > ${TRIES_MAX + 1} OR f.keep_until > ${CLOCK_TOLERANCE} + CASE
      WHEN f.answered_at IS NULL THEN f.created_at + ${PENDING_SECONDS_MAX} * interval '1 second'
      ELSE f.answered_at + ${KEPT_SECONDS_MAX} * interval '1 second'
    END
  `),
  rule(
    "the_erased_stay_out_of_the_directory",
    "No list brings a person back who was erased."
  )(`
    SELECT e.workspace_id, 'erasure ' || e.erasure_id AS breach
    FROM erasures e
    JOIN directory_people p ON p.workspace_id = e.workspace_id AND p.fingerprint = e.address_hash
    WHERE e.finished_at IS NOT NULL
  `)
]
