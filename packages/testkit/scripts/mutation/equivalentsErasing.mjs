/** Faults that change nothing anybody could notice, of erasures, of retention and of seals. */
const ERASURES = "packages/adapters/src/postgres/PgErasureStore.ts"
const RETENTION = "packages/adapters/src/postgres/PgRetentionStore.ts"
const SEALS = "packages/adapters/src/postgres/PgSealStore.ts"
const ERASURE = "packages/domain/src/control/erasure/Erasure.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

export const ERASING = {
  "a keyed hash of an address is another one in each workspace": of(
    ERASURES,
    [
      "ign_lead_id FROM campaign_leads l WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} AND",
      "ign_lead_id FROM campaign_leads l WHERE true AND l.address_hash = ${addressHash} AND"
    ],
    [
      "aign_lead_id = l.campaign_lead_id WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} AND",
      "aign_lead_id = l.campaign_lead_id WHERE true AND l.address_hash = ${addressHash} AND"
    ],
    [
      "ign_lead_id FROM campaign_leads l WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} ) )",
      "ign_lead_id FROM campaign_leads l WHERE true AND l.address_hash = ${addressHash} ) )"
    ],
    [
      "andbox_letters s USING messages m WHERE s.workspace_id = ${workspaceId} AND m.workspace_id = s.workspace_id AND",
      "andbox_letters s USING messages m WHERE true AND m.workspace_id = s.workspace_id AND"
    ]
  ),
  "an id of a row is of one workspace": [
    ...of(
      ERASURES,
      ['["workspace_id", "sent_reply_id"]', '["sent_reply_id"]'],
      ['["workspace_id", "shown_id"]', '["shown_id"]'],
      ['["workspace_id", "left_out_id"]', '["left_out_id"]']
    ),
    ...of(SEALS, [
      "ERE e.workspace_id = b.workspace_id AND e.observed_at = b.observed_at AND e.event_id = b.event_id RETURNING 1",
      "ERE e.workspace_id = b.workspace_id AND true AND e.event_id = b.event_id RETURNING 1"
    ])
  ],
  "what was taken out names nobody any more": of(ERASURES, [
    "ERE i.workspace_id = ${workspaceId} AND i.content IS NOT NULL AND ( i.from_email = ${email} OR EXISTS",
    "ERE i.workspace_id = ${workspaceId} AND true AND ( i.from_email = ${email} OR EXISTS"
  ]),
  "what stands is there under its lock, and without it the call ends as well": of(ERASURES, [
    'standing ?? (yield* Effect.die(new Error("an erasure that was opened is gone")))',
    "standing"
  ]),
  "when a call began decides; its id only says how far to look": of(
    RETENTION,
    [
      "ERE r.workspace_id = w.workspace_id AND r.request_id < ${firstIdOf(beforeMillis)}::uuid AND r.created_at < ${date(beforeMillis)",
      "ERE r.workspace_id = w.workspace_id AND true AND r.created_at < ${date(beforeMillis)"
    ],
    [
      "e_id = w.workspace_id AND r.request_id < ${firstIdOf(beforeMillis)}::uuid AND r.",
      "e_id = w.workspace_id AND r.request_id <= ${firstIdOf(beforeMillis)}::uuid AND r."
    ]
  ),
  "nobody has no id and joins nobody": of(SEALS, [
    "ROM (${oldestOf(workspaceIds)}) d WHERE d.subject_id IS NOT NULL ), fresh AS MATERIALIZED ( SELECT s.wor",
    "ROM (${oldestOf(workspaceIds)}) d WHERE true ), fresh AS MATERIALIZED ( SELECT s.wor"
  ]),
  "who is named early is named as they would be in their turn": of(SEALS, [
    "ON s.workspace_id = c.workspace_id AND s.subject_id = c.subject_id WHERE s.email IS NOT NULL AND s.commitm",
    "ON s.workspace_id = c.workspace_id AND true WHERE s.email IS NOT NULL AND s.commitm"
  ]),
  "of several salts for one person one is kept, with its commitment": of(SEALS, [
    "WITH concerned AS MATERIALIZED ( SELECT DISTINCT d.workspace_id, d.subject_id FROM (${old",
    "WITH concerned AS MATERIALIZED ( SELECT d.workspace_id, d.subject_id FROM (${old"
  ]),
  "what a round sealed is counted, which always answers": of(SEALS, ["0", "(0 + 1)"]),
  "one event more than a seal may have shows that it is not whole, as do two": of(SEALS, ["1", "(1 + 1)"]),
  "what each of them gave is not asked for": of(ERASURE, ["true", "false", 2])
}
