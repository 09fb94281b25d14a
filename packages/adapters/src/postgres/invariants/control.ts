/** What must always hold of kills, change requests and the control log. */
import type { Invariant } from "./outbound.js"

/** The clocks of two hosts. */
const CLOCK_TOLERANCE = "interval '5 seconds'"

export const controlInvariants: ReadonlyArray<Invariant> = [
  {
    name: "suspensions_are_kills",
    rule: "A workspace is suspended exactly while a kill of it stands.",
    sql: `
      SELECT s.workspace_id, COALESCE('kill ' || k.kill_id, 'suspended without a kill') AS breach
      FROM workspace_sending s LEFT JOIN kills k ON k.workspace_id = s.workspace_id AND k.cleared_at IS NULL
      WHERE (s.suspended_at IS NULL) <> (k.kill_id IS NULL) OR s.suspended_at <> k.suspended_at
    `
  },
  {
    name: "killed_campaigns_never_restart",
    rule: "A campaign that a kill paused stays paused by it, for ever.",
    sql: `
      SELECT k.workspace_id, 'campaign ' || k.campaign_id || ' of kill ' || k.kill_id AS breach
      FROM killed_campaigns k
      JOIN campaigns c ON c.workspace_id = k.workspace_id AND c.campaign_id = k.campaign_id
      WHERE c.state <> 'completed' AND (c.state <> 'paused' OR c.pause_reason IS DISTINCT FROM 'killed')
    `
  },
  {
    name: "nothing_is_claimed_under_a_kill",
    rule: "No message is claimed between a kill and its end.",
    sql: `
      SELECT m.workspace_id, 'message ' || m.message_id || ' under kill ' || k.kill_id AS breach
      FROM kills k JOIN messages m ON m.workspace_id = k.workspace_id
        AND m.claimed_at > k.suspended_at + ${CLOCK_TOLERANCE}
        AND m.claimed_at < COALESCE(k.cleared_at, 'infinity') - ${CLOCK_TOLERANCE}
    `
  },
  {
    name: "granted_changes_are_logged",
    rule: "A change request that an owner approved is one row of the control log.",
    sql: `
      SELECT r.workspace_id, 'change request ' || r.change_request_id AS breach
      FROM change_requests r
      WHERE (r.state = 'approved') <> (
        1 = (
          SELECT count(*) FROM control_log l
          WHERE l.workspace_id = r.workspace_id AND l.change_request_id = r.change_request_id AND l.key_id = r.key_id
        )
      )
    `
  }
]
