/** Faults that change nothing anybody could notice, of what decides whether a call or a message goes ahead. */
const OWN_CLAIMS = "packages/adapters/src/postgres/claimOwn.ts"
const ADMISSION = "packages/domain/src/calls/decideAdmission.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

export const DECIDING = {
  "asked before its leads are looked at one by one, each of whom the same would hinder": of(
    OWN_CLAIMS,
    [
      '["suspended", "crm_unread", "mailbox_not_sending", "mailbox_rests", "cap_reached"]',
      '["crm_unread", "mailbox_not_sending", "mailbox_rests", "cap_reached"]'
    ],
    [
      '["suspended", "crm_unread", "mailbox_not_sending", "mailbox_rests", "cap_reached"]',
      '["suspended", "mailbox_not_sending", "mailbox_rests", "cap_reached"]'
    ],
    [
      '["suspended", "crm_unread", "mailbox_not_sending", "mailbox_rests", "cap_reached"]',
      '["suspended", "crm_unread", "mailbox_rests", "cap_reached"]'
    ],
    [
      '["suspended", "crm_unread", "mailbox_not_sending", "mailbox_rests", "cap_reached"]',
      '["suspended", "crm_unread", "mailbox_not_sending", "cap_reached"]'
    ],
    [
      '["suspended", "crm_unread", "mailbox_not_sending", "mailbox_rests", "cap_reached"]',
      '["suspended", "crm_unread", "mailbox_not_sending", "mailbox_rests"]'
    ],
    ["hindrances(OF_MAILBOX, candidate.facts).length > 0", "false"],
    ["0", "(0 + 1)"]
  ),
  "of one candidate no more than one is chosen": of(
    OWN_CLAIMS,
    ["1", "(1 + 1)"],
    ["1", "(1 + 1)", 3],
    ["1", "(1 + 1)", 4]
  ),
  "how far one look goes beyond the one before, not whom it finds: each covers four times as many": of(
    OWN_CLAIMS,
    ["[candidate.lead.campaignLeadId]", "[]"],
    ["0", "(0 + 1)", 3],
    ["looks < LOOKS_MAX", "looks <= LOOKS_MAX"],
    ["1", "(1 + 1)", 2],
    ["due.length < look", "false"],
    ["seen.push(...due.map(({ lead }) => lead.campaignLeadId))", ""]
  ),
  "a wider lock makes others wait, and changes nothing": of(OWN_CLAIMS, [
    "l` SELECT 1 FROM sending_turns t WHERE t.workspace_id = ${workspaceId} FOR NO KEY UPDATE `",
    "l` SELECT 1 FROM sending_turns t WHERE true FOR NO KEY UPDATE `"
  ]),
  "nothing is less than what costs nothing: a cap never refuses it": of(
    ADMISSION,
    ["key.monthlySpendCap !== null && required > 0n", "key.monthlySpendCap !== null"],
    ["required > 0n", "required >= 0n"],
    ["daily !== null && required > 0n", "daily !== null"],
    ["required > 0n", "required >= 0n", 2]
  ),
  "a pause was never before 1970, which is zero here": of(ADMISSION, ["key.pausedAtMillis ?? 0", "key.pausedAtMillis"]),
  "only the compiler needs it: of several reasons the first is there, or absent": of(ADMISSION, [
    "first !== null && first !== undefined",
    "first !== null"
  ]),
  "where both are the same, each is that amount": of(ADMISSION, [
    "settlement.charge < reserved",
    "settlement.charge <= reserved"
  ])
}
