/** Faults that change nothing anybody could notice, of what decides whether a call or a message goes ahead. */
const OWN_CLAIMS = "packages/adapters/src/postgres/claimOwn.ts"
const DUE = "packages/adapters/src/postgres/claimDue.ts"
const ACCESS = "packages/domain/src/control/access.ts"
const GATE = "packages/domain/src/outreach/authentication/gate.ts"
const LOOKS = "packages/domain/src/outreach/authentication/Looks.ts"
const FACTS = "packages/adapters/src/postgres/sendFacts.ts"
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
  ]),
  "leaves out early whom the rule refuses anyway: so claims need not look at them": of(
    DUE,
    [
      "orkspace_id FROM due_workspaces d WHERE EXISTS ( SELECT 1 FROM mailboxes b WHERE b.workspace_id = d.workspace_id AND b.state = 'active' AND b.kind = 'purchased' ) ) `",
      "orkspace_id FROM due_workspaces d WHERE true ) `"
    ],
    [
      "ERE b.workspace_id = d.workspace_id AND b.state = 'active' AND b.kind = 'purchased' ) ) `",
      "ERE b.workspace_id = d.workspace_id AND true AND b.kind = 'purchased' ) ) `"
    ],
    [
      "workspace_id AND b.state = 'active' AND b.kind = 'purchased' ) ) `",
      "workspace_id AND b.state = 'active' AND true ) ) `"
    ],
    [
      'N w.workspace_id = t.workspace_id WHERE s.suspended_at IS NULL AND NOT ${sql.literal(crmUnread("t.work',
      'N w.workspace_id = t.workspace_id WHERE true AND NOT ${sql.literal(crmUnread("t.work'
    ],
    [
      'ace_id WHERE s.suspended_at IS NULL AND NOT ${sql.literal(crmUnread("t.workspace_id"))} AND EXISTS ( SELECT 1 FROM campaigns c',
      "ace_id WHERE s.suspended_at IS NULL AND true AND EXISTS ( SELECT 1 FROM campaigns c"
    ],
    [
      "teral(crmUnread(\"t.workspace_id\"))} AND EXISTS ( SELECT 1 FROM campaigns c CROSS JOIN LATERAL ( SELECT 1 FROM campaign_leads l WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.next_at <= now.at AND ${sendable} LIMIT 1 ) due WHERE c.workspace_id = t.workspace_id AND c.state = 'active' AND ${openWindow} ) AND w.daily_sends > ( SELECT count(*) F",
      'teral(crmUnread("t.workspace_id"))} AND true AND w.daily_sends > ( SELECT count(*) F'
    ],
    [
      "ERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.next_at <= now.at AND ${sendable}",
      "ERE l.workspace_id = c.workspace_id AND true AND l.next_at <= now.at AND ${sendable}"
    ],
    [
      "d AND l.campaign_id = c.campaign_id AND l.next_at <= now.at AND ${sendable} LIMIT 1 ) due WHERE c.w",
      "d AND l.campaign_id = c.campaign_id AND true AND ${sendable} LIMIT 1 ) due WHERE c.w"
    ],
    [
      "campaign_id AND l.next_at <= now.at AND ${sendable} LIMIT 1 ) due WHERE c.workspace_id = t.",
      "campaign_id AND l.next_at <= now.at AND true LIMIT 1 ) due WHERE c.workspace_id = t."
    ],
    [
      "ERE c.workspace_id = t.workspace_id AND c.state = 'active' AND ${openWindow} ) AND w.daily_sends >",
      "ERE c.workspace_id = t.workspace_id AND true AND ${openWindow} ) AND w.daily_sends >"
    ],
    [
      "workspace_id AND c.state = 'active' AND ${openWindow} ) AND w.daily_sends > ( SELECT count(*)",
      "workspace_id AND c.state = 'active' AND true ) AND w.daily_sends > ( SELECT count(*)"
    ],
    [
      "tate = 'active' AND ${openWindow} ) AND w.daily_sends > ( SELECT count(*) FROM messages m WHERE m.workspace_id = w.workspace_id AND m.claimed_at >= now.day_start AND m.state <> 'failed' ) ORDER BY t.turn, t.workspace_id LIMIT $",
      "tate = 'active' AND ${openWindow} ) AND true ORDER BY t.turn, t.workspace_id LIMIT $"
    ],
    [
      "AND ${openWindow} ) AND w.daily_sends > ( SELECT count(*) FROM messages m WHERE",
      "AND ${openWindow} ) AND w.daily_sends >= ( SELECT count(*) FROM messages m WHERE"
    ],
    [
      "e_id = w.workspace_id AND m.claimed_at >= now.day_start AND m.state <> 'failed' )",
      "e_id = w.workspace_id AND m.claimed_at > now.day_start AND m.state <> 'failed' )"
    ],
    [
      "d AND l.campaign_id = c.campaign_id AND b.state = 'active' AND b.kind = 'purchased' AND b.mailbox_",
      "d AND l.campaign_id = c.campaign_id AND true AND b.kind = 'purchased' AND b.mailbox_"
    ],
    [
      ".campaign_id AND b.state = 'active' AND b.kind = 'purchased' AND b.mailbox_id <> ALL(${fullMailboxId",
      ".campaign_id AND b.state = 'active' AND true AND b.mailbox_id <> ALL(${fullMailboxId"
    ],
    [
      "= 'active' AND b.kind = 'purchased' AND b.mailbox_id <> ALL(${fullMailboxIds}::uuid[]) AND l.campaign_lead_id <> ALL(${seen}::",
      "= 'active' AND b.kind = 'purchased' AND true AND l.campaign_lead_id <> ALL(${seen}::"
    ],
    [
      "d <> ALL(${fullMailboxIds}::uuid[]) AND l.campaign_lead_id <> ALL(${seen}::uuid[]) AND ${sql.literal(MAYBE)} ORDER BY l.ne",
      "d <> ALL(${fullMailboxIds}::uuid[]) AND true AND ${sql.literal(MAYBE)} ORDER BY l.ne"
    ],
    [
      "paceId }) => workspaceId)}::uuid[]) AND c.state = 'active' AND ${openWindow} ), ranked AS ( SELECT",
      "paceId }) => workspaceId)}::uuid[]) AND true AND ${openWindow} ), ranked AS ( SELECT"
    ],
    [
      "d)}::uuid[]) AND c.state = 'active' AND ${openWindow} ), ranked AS ( SELECT due.*, row_number",
      "d)}::uuid[]) AND c.state = 'active' AND true ), ranked AS ( SELECT due.*, row_number"
    ],
    [
      "d AND b.mailbox_id = l.mailbox_id WHERE ${sendable} AND l.next_at <= now.at AND c.state = '",
      "d AND b.mailbox_id = l.mailbox_id WHERE true AND l.next_at <= now.at AND c.state = '"
    ],
    [
      "id = l.mailbox_id WHERE ${sendable} AND l.next_at <= now.at AND c.state = 'active' AND b.state = 'a",
      "id = l.mailbox_id WHERE ${sendable} AND true AND c.state = 'active' AND b.state = 'a"
    ],
    [
      "at <= now.at AND c.state = 'active' AND b.state = 'active' AND b.kind = 'purchased' ORDER BY chose",
      "at <= now.at AND c.state = 'active' AND true AND b.kind = 'purchased' ORDER BY chose"
    ],
    [
      "e = 'active' AND b.state = 'active' AND b.kind = 'purchased' ORDER BY chosen.of_workspace, chosen.ne",
      "e = 'active' AND b.state = 'active' AND true ORDER BY chosen.of_workspace, chosen.ne"
    ],
    [
      "${sendable} AND l.next_at <= now.at AND c.state = 'active' AND b.state = 'active' AND b.kind = 'pu",
      "${sendable} AND l.next_at <= now.at AND true AND b.state = 'active' AND b.kind = 'pu"
    ],
    ["workspaces.filter((workspace) => !isFull(workspace))", "workspaces"],
    [
      "open.length === 0 ? [] : yield* lookAt(open, open.flatMap(fullMailboxes), seen, look)",
      "yield* lookAt(open, open.flatMap(fullMailboxes), seen, look)"
    ]
  ),
  "finds at one campaign whom the look at their own campaign finds too, and the rule takes once": of(DUE, [
    "ERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND b.state = 'active' AND b.kind = 'pu",
    "ERE l.workspace_id = c.workspace_id AND true AND b.state = 'active' AND b.kind = 'pu"
  ]),
  "how far one look goes, not whom all of them find": of(
    DUE,
    ["claims.length >= options.limit || (found.length < look.size && look.ofCampaign >= look.size)", "false"],
    [
      "claims.length >= options.limit || (found.length < look.size && look.ofCampaign >= look.size)",
      "claims.length >= options.limit"
    ],
    [
      "claims.length >= options.limit || (found.length < look.size && look.ofCampaign >= look.size)",
      "(found.length < look.size && look.ofCampaign >= look.size)"
    ],
    ["claims.length >= options.limit", "claims.length > options.limit"],
    ["look.ofCampaign >= look.size", "look.ofCampaign > look.size"],
    ["seen.push(...found.map(({ lead }) => lead.campaignLeadId))", ""]
  ),
  "the quick way past a claim that finds nothing": of(
    DUE,
    ["made.length > 0", "true"],
    ["made.length > 0", "made.length >= 0"],
    ["turns.length === 0", "false"],
    ["claims.length === 0", "false"]
  ),
  "in which order the claims of one call are handed on is promised to nobody": of(
    DUE,
    ["claims.sort((one, other) => byDue(one.candidate.lead, other.candidate.lead))", "claims"],
    [
      "(one.nextAtMillis ?? 0) - (other.nextAtMillis ?? 0) || (one.campaignLeadId < other.campaignLeadId ? -1 : 1)",
      "(one.nextAtMillis ?? 0) - (other.nextAtMillis ?? 0)"
    ],
    [
      "(one.nextAtMillis ?? 0) - (other.nextAtMillis ?? 0) || (one.campaignLeadId < other.campaignLeadId ? -1 : 1)",
      "(one.campaignLeadId < other.campaignLeadId ? -1 : 1)"
    ],
    ["(one.nextAtMillis ?? 0) - (other.nextAtMillis ?? 0)", "(one.nextAtMillis ?? 0) + (other.nextAtMillis ?? 0)"],
    ["one.campaignLeadId < other.campaignLeadId ? -1 : 1", "-1"],
    ["one.campaignLeadId < other.campaignLeadId ? -1 : 1", "1"],
    ["one.campaignLeadId < other.campaignLeadId", "one.campaignLeadId <= other.campaignLeadId"],
    ["-1", "1"],
    ["1", "(1 + 1)"],
    ["1", "(1 + 1)", 2],
    ["chosen .toSorted((one, other) => byDue(one.lead, other.lead))", "chosen"]
  ),
  "reads more of the same workspace than is asked for": of(
    DUE,
    [
      "e_id = ANY(${workspaceIds}::uuid[]) AND c.campaign_id = ANY(${ids(({ campaignId }) => campaignId)}::uuid[]) `",
      "e_id = ANY(${workspaceIds}::uuid[]) AND true `"
    ],
    [
      "e_id = ANY(${workspaceIds}::uuid[]) AND b.mailbox_id = ANY(${ids(({ mailboxId }) => mailboxId)}::uuid[]) `",
      "e_id = ANY(${workspaceIds}::uuid[]) AND true `"
    ]
  ),
  "only the compiler needs it: what is claimed has a campaign, a mailbox and a time": of(
    DUE,
    ["campaign === undefined || mailbox === undefined", "false"],
    ["campaign === undefined || mailbox === undefined", "campaign === undefined"],
    ["campaign === undefined || mailbox === undefined", "mailbox === undefined"],
    ["one.nextAtMillis ?? 0", "one.nextAtMillis"],
    ["one.nextAtMillis ?? 0", "0"],
    ["0", "(0 + 1)", 5],
    ["other.nextAtMillis ?? 0", "other.nextAtMillis"],
    ["other.nextAtMillis ?? 0", "0"],
    ["0", "(0 + 1)", 6]
  ),
  "both lists of limits have the same names, and equal ones were told apart before": of(
    ACCESS,
    ["after < before", "after <= before"],
    ["after[name] ?? 0", "after[name]"],
    ["0", "(0 + 1)", 3]
  ),
  "no domain is there twice, and how far one stands before another says nothing": of(
    GATE,
    ["a.domain < b.domain", "a.domain <= b.domain"],
    ["1", "(1 + 1)"],
    ["1", "(1 + 1)", 2]
  ),
  "only the compiler needs it: what fails was looked at": of(GATE, [
    'look?.findings[check].detail ?? ""',
    "look?.findings[check].detail"
  ]),
  "where nobody can be asked it is said three times": of(
    LOOKS,
    ["records === null", "false"],
    ['workspace?.kind !== "live" || records === null', 'workspace?.kind !== "live"'],
    ["asked === null", "false"]
  ),
  "no look is older than 1970, and nobody reads what looking gives back": of(
    LOOKS,
    ["0", "(0 + 1)", 3],
    ["0", "(0 + 1)", 4],
    ["true", "false", 2]
  ),
  "left out early, or looked at and refused by the rule": of(
    FACTS,
    ['leftOf(workspace, "", null, 0).workspace <= 0', 'leftOf(workspace, "", null, 0).workspace < 0'],
    ["[...workspace.sentBy.keys()]", "[]"],
    ["leftOf(workspace, mailboxId, null, 0).mailbox <= 0", "leftOf(workspace, mailboxId, null, 0).mailbox < 0"]
  ),
  "only the compiler needs it: a window has both ends or none, and leads are those of the workspaces asked for": of(
    FACTS,
    ["opensAtMillis === null || closesAtMillis === null", "opensAtMillis === null"],
    ["opensAtMillis === null || closesAtMillis === null", "closesAtMillis === null"],
    [
      "workspace === undefined ? [] : [candidateOf(row, workspace, moment, use)]",
      "[candidateOf(row, workspace, moment, use)]"
    ]
  ),
  "of purchased mailboxes the time says nothing": of(FACTS, ["0", "(0 + 1)", 3], ["0", "(0 + 1)", 5])
}
