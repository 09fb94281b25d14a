/** Faults that change nothing anybody could notice, each under the reason. Checked to be still in the code. */
import { DECIDING } from "./equivalentsDeciding.mjs"
import { ERASING } from "./equivalentsErasing.mjs"
import { LAUNCHING } from "./equivalentsLaunching.mjs"
import { MONEY } from "./equivalentsMoney.mjs"
import { PEOPLE } from "./equivalentsPeople.mjs"
import { SENDING } from "./equivalentsSending.mjs"

const CREDITS = "packages/domain/src/kernel/money/Credits.ts"
const SEND_RULE = "packages/domain/src/outreach/sending/sendRule.ts"
const BOOKING = "packages/domain/src/wings/payments/Booking.ts"
const PAYMENTS = "packages/domain/src/wings/payments/Payments.ts"
const PLAN = "packages/domain/src/data/chat/chatPlan.ts"
const WRITTEN = "packages/domain/src/data/chat/written.ts"
const TALLY = "packages/domain/src/data/chat/StreamTally.ts"
const USAGE = "packages/domain/src/data/chat/TokenUsage.ts"
const OAUTH = "packages/adapters/src/postgres/PgOAuthStore.ts"
const SUPPRESSIONS = "packages/adapters/src/postgres/PgSuppressionStore.ts"
const TRAIL = "packages/adapters/src/postgres/PgTrailStore.ts"
const SEALS = "packages/domain/src/kernel/trail/seals.ts"
const PAYMENT_STATES = "packages/domain/src/control/payments/PaymentMachine.ts"
const COLUMNS = "packages/domain/src/control/suppressionImport/chooseColumns.ts"
const LISTED = "packages/domain/src/control/suppressionImport/listedRows.ts"
const BARS = "packages/adapters/src/postgres/bars.ts"
const SUPPRESS = "packages/domain/src/outreach/optOut/Suppress.ts"
const APPROVALS = "packages/domain/src/calls/approvals/Approvals.ts"
const KILLS = "packages/domain/src/control/Kills.ts"
const LAUNCH = "packages/domain/src/outreach/launching/launchCampaign.ts"
const SEND_REPLY = "packages/domain/src/outreach/replies/sendReply.ts"
const SETTLEMENT = "packages/domain/src/calls/settlementOf.ts"
const COMPLETIONS = "packages/domain/src/data/chat/streamChat.ts"
const CREDIT_STORE = "packages/adapters/src/postgres/PgCreditStore.ts"
const BREAKER = "packages/domain/src/outreach/sending/Breaker.ts"
const ASKING = "packages/domain/src/control/oauth/asking.ts"
const ISSUING = "packages/domain/src/control/oauth/issuing.ts"
const SIGN_UP = "packages/domain/src/control/signUp/SignUp.ts"
const DISPATCHER = "packages/domain/src/outreach/sending/Dispatcher.ts"
const OWN_RECORD = "packages/domain/src/outreach/sending/OwnRecord.ts"
const CONTENT = "packages/adapters/src/postgres/PgContentStore.ts"
const REPLIES = "packages/adapters/src/postgres/PgReplyStore.ts"
const REPLY_TO = "packages/domain/src/outreach/replies/replyToThread.ts"
const SENT_REPLIES = "packages/adapters/src/postgres/PgSentReplyStore.ts"
const SENDINGS = "packages/adapters/src/postgres/PgSendingStore.ts"
const EXPIRY = "packages/domain/src/calls/approvals/Expiry.ts"
const LOOK = "packages/domain/src/outreach/authentication/Look.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

const OTHERS = {
  "where both amounts are the same, both arms give that amount": of(CREDITS, ["a > b", "a >= b"], ["a < b", "a <= b"]),
  "the quick way past the schema: what does not take it is checked by the schema, and the same amounts pass": of(
    CREDITS,
    [
      "micros >= 0n && micros <= CREDITS_MICROS_MAX ? (micros as Credits) : Credits.make(micros)",
      "Credits.make(micros)"
    ],
    ["micros >= 0n", "micros > 0n"],
    ["0n", "(0n + 1n)", 2],
    ["micros <= CREDITS_MICROS_MAX", "micros < CREDITS_MICROS_MAX"]
  ),
  "zero has the same size with a minus and without one": of(
    CREDITS,
    ["micros < 0n", "micros <= 0n", 2],
    ["0n", "(0n + 1n)", 4]
  ),
  "what has more digits than this is refused by its value too": of(CREDITS, [
    "CREDITS_MICROS_MAX / MICROS_PER_CREDIT",
    "CREDITS_MICROS_MAX * MICROS_PER_CREDIT"
  ]),
  "only the compiler tells an absent value from null here: neither is used, nor later than now": of(
    SEND_RULE,
    ["approval ?? undefined", "approval"],
    ["mailbox?.restsUntilMillis ?? nowMillis", "mailbox?.restsUntilMillis"],
    ['barOf(facts) ?? ""', "barOf(facts)"]
  ),
  "what is owed is not zero where this is asked": of(BOOKING, ["owed > 0n", "owed >= 0n"]),
  "only the compiler needs it: the workspace of a payment exists, and so does a payment that was begun or is due": of(
    PAYMENTS,
    [
      'Option.isNone(found) ? null : providers[found.value.kind === "sandbox" ? "sandbox" : "live"]',
      'providers[found.value.kind === "sandbox" ? "sandbox" : "live"]'
    ],
    ['applied.kind === "missing" ? null : applied.payment', "applied.payment"],
    ["after ?? payment", "after"],
    ["after ?? payment", "after", 2]
  ),
  "decides only what the operator's log says": [
    ...of(
      PAYMENTS,
      ['applied.kind === "foreign" || applied.kind === "missing"', "true"],
      ['applied.kind === "foreign" || applied.kind === "missing"', "false"],
      ['applied.kind === "foreign" || applied.kind === "missing"', 'applied.kind === "foreign"'],
      ['applied.kind === "foreign" || applied.kind === "missing"', 'applied.kind === "missing"']
    ),
    ...of(
      PLAN,
      [
        'charge < priceOfTokens(model.tier, usage.totalTokens) ? Effect.as( Effect.logWarning("an upstream counted more tokens than were reserved").pipe( Effect.annotateLogs({ provider: upstream.name, tokens: usage.totalTokens }) ), charge ) : Effect.succeed(charge)',
        'Effect.as( Effect.logWarning("an upstream counted more tokens than were reserved").pipe( Effect.annotateLogs({ provider: upstream.name, tokens: usage.totalTokens }) ), charge )'
      ],
      [
        'charge < priceOfTokens(model.tier, usage.totalTokens) ? Effect.as( Effect.logWarning("an upstream counted more tokens than were reserved").pipe( Effect.annotateLogs({ provider: upstream.name, tokens: usage.totalTokens }) ), charge ) : Effect.succeed(charge)',
        "Effect.succeed(charge)"
      ],
      [
        "charge < priceOfTokens(model.tier, usage.totalTokens)",
        "charge <= priceOfTokens(model.tier, usage.totalTokens)"
      ]
    )
  ],
  "only the compiler needs it: what is final was reported": of(TALLY, [
    "(hasEnded || this.#isWhole) && this.#isFinal && reported !== null",
    "(hasEnded || this.#isWhole) && this.#isFinal"
  ]),
  "only the compiler needs it: whole numbers are numbers, null adds nothing, and what is written has each count": of(
    USAGE,
    ['typeof value === "number" && Number.isInteger(value)', "Number.isInteger(value)"],
    ["countIn(one, ...names) ?? 0", "countIn(one, ...names)"],
    ['countIn(usage, "cache_read_input_tokens") ?? 0', 'countIn(usage, "cache_read_input_tokens")'],
    ['countIn(usage, "cache_creation_input_tokens") ?? 0', 'countIn(usage, "cache_creation_input_tokens")'],
    ['countIn(usage.wire, "completion_tokens") ?? 0', 'countIn(usage.wire, "completion_tokens")'],
    ["0", "(0 + 1)", 14]
  ),
  "of what comes under two names both are as long, and none of the plain names is one of a thought": of(
    WRITTEN,
    ["other.length > one.length", "other.length >= one.length"],
    ["!PLAIN.has(name) && THOUGHT.test(name)", "THOUGHT.test(name)"]
  ),
  "no text more among the texts that are joined": of(TALLY, ['written !== ""', "true"]),
  "it changes only what is in the state that it leaves: who comes second is refused, and tried again": of(
    OAUTH,
    ['"FOR UPDATE"', '""'],
    ['"FOR NO KEY UPDATE"', '""'],
    ['"FOR NO KEY UPDATE"', '""', 2]
  ),
  "who deletes the same rows at once waits for the other, and both leave the same": of(
    OAUTH,
    [
      "_at DESC, client_id DESC OFFSET ${keep} FOR UPDATE SKIP LOCKED ) `",
      "_at DESC, client_id DESC OFFSET ${keep} ) `"
    ],
    [
      "at DESC, request_id DESC OFFSET ${keep} FOR UPDATE SKIP LOCKED ) `",
      "at DESC, request_id DESC OFFSET ${keep} ) `"
    ],
    [
      "ERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED ) RETURNING request_id::text AS key `",
      "ERE expires_at <= ${now} LIMIT ${limit} ) RETURNING request_id::text AS key `"
    ],
    [
      "ERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED ) RETURNING token_hash AS key `",
      "ERE expires_at <= ${now} LIMIT ${limit} ) RETURNING token_hash AS key `"
    ],
    [
      "lient_id = c.client_id)) LIMIT ${limit} FOR UPDATE SKIP LOCKED ) RETURNING client_id AS key `",
      "lient_id = c.client_id)) LIMIT ${limit} ) RETURNING client_id AS key `"
    ]
  ),
  "which of two of one moment is the newer is promised to nobody": of(
    OAUTH,
    [
      "ULL ORDER BY created_at DESC, client_id DESC OFFSET ${keep} FOR UPDATE SKIP LOCKED",
      "ULL ORDER BY created_at DESC, client_id ASC OFFSET ${keep} FOR UPDATE SKIP LOCKED"
    ],
    [
      "ts ORDER BY expires_at DESC, request_id DESC OFFSET ${keep} FOR UPDATE SKIP LOCKED",
      "ts ORDER BY expires_at DESC, request_id ASC OFFSET ${keep} FOR UPDATE SKIP LOCKED"
    ]
  ),
  "what comes twice is in conflict with itself, and added once": of(
    SUPPRESSIONS,
    [
      "ess_hash, source, suppressed_at) SELECT DISTINCT ${workspaceId}::uuid, person.address_has",
      "ess_hash, source, suppressed_at) SELECT ${workspaceId}::uuid, person.address_has"
    ],
    [
      "space_id, domain, suppressed_at) SELECT DISTINCT ${workspaceId}::uuid, given.domain, ${da",
      "space_id, domain, suppressed_at) SELECT ${workspaceId}::uuid, given.domain, ${da"
    ]
  ),
  "leaves out early whom the rule lets through anyway": of(
    SUPPRESSIONS,
    [
      'ait" FROM given CROSS JOIN people WHERE is_contacted OR cardinality(sources || standings) >',
      'ait" FROM given CROSS JOIN people WHERE true OR cardinality(sources || standings) >'
    ],
    ["d OR cardinality(sources || standings) > 0 `", "d OR cardinality(sources || standings) >= 0 `"]
  ),
  "decides only which index is read": of(
    TRAIL,
    ["filter.campaignId !== null || filter.email !== null", "true"],
    ["filter.campaignId !== null || filter.email !== null", "false"],
    ["filter.campaignId !== null || filter.email !== null", "filter.campaignId !== null"],
    ["filter.campaignId !== null || filter.email !== null", "filter.email !== null"]
  ),
  "no event is older than 1970, which is where this begins": of(TRAIL, ["filter.sinceMillis !== null", "true"]),
  "what is absent joins as nothing": of(
    SEALS,
    ...["campaignId", "campaignLeadId", "replyId", "requestId", "operationId", "person"].map((name) => [
      `event.${name} ?? ""`,
      `event.${name}`
    ])
  ),
  "to go where it is already is to stay": of(PAYMENT_STATES, ['"same"', '"failed"']),
  "a company or a receiver without a limit has some left, whether one or two": of(
    SEND_RULE,
    ["1", "(1 + 1)"],
    ["1", "(1 + 1)", 2]
  ),
  "only the compiler needs it: a row has a cell for each column of its heading, and each column a name": [
    ...of(
      COLUMNS,
      ['cells[index] ?? ""', "cells[index]"],
      ['cells[index] ?? ""', "cells[index]", 2],
      ['cells[column] ?? ""', "cells[column]"],
      ['row.cells[index] ?? ""', "row.cells[index]"],
      ['unsaid.cells[index] ?? ""', "unsaid.cells[index]"]
    ),
    ...of(LISTED, ['cells[index] ?? ""', "cells[index]"], ['cells[index] ?? ""', "cells[index]", 2]),
    ...of(
      LISTED,
      ['head.columns[index] ?? ""', "head.columns[index]"],
      ["head.columns[chosen[0] ?? 0] ?? null", "head.columns[chosen[0] ?? 0]"],
      ['row.cells[index] ?? ""', "row.cells[index]"],
      ['last.cells[index] ?? ""', "last.cells[index]"],
      ['row.cells[torn] ?? ""', "row.cells[torn]"],
      ['last.cells[torn] ?? ""', "last.cells[torn]"],
      ["head.columns[torn] ?? null", "head.columns[torn]"],
      ["torn === undefined || last === null", "torn === undefined"]
    )
  ],
  "a column without any address repeats those of its rows": of(
    COLUMNS,
    [
      "found.addresses > 0 && found.addresses >= found.filled * SHARE_MIN",
      "found.addresses >= found.filled * SHARE_MIN"
    ],
    ["found.addresses > 0", "found.addresses >= 0"]
  ),
  "what is no row of the table has no cells": of(COLUMNS, ['kind !== "row" || cell === ""', 'cell === ""']),
  "the quick way past what holds nothing": [
    ...of(COLUMNS, ['!cell.includes("@") && !cell.includes(".")', "false"]),
    ...of(LISTED, ["!/[\\p{sc=Cyrillic}\\p{sc=Greek}]/u.test(cell)", "false"]),
    ...of(SETTLEMENT, ["outcome === null && cache === null && !isListed", "false"]),
    ...of(KILLS, ["unverified.length === 0", "false"]),
    ...of(APPROVALS, [
      "scope.tokenHash === null ? Effect.succeed(NO_TOKEN) : atomically(check(scope, verb))",
      "atomically(check(scope, verb))"
    ])
  ],
  "it is asked only whether there is one": of(COLUMNS, ["1", "(1 + 1)", 3], ["1", "(1 + 1)", 6]),
  "a column that is named is never asked whose it is": of(COLUMNS, [
    "head.headingLine !== null && !isNamed",
    "head.headingLine !== null"
  ]),
  "without a heading a column is named by its number, which means nothing": of(
    COLUMNS,
    ["head.headingLine !== null && namesEmail(name)", "namesEmail(name)"],
    ["head.headingLine !== null && !isNamed && namesColleague(name)", "namesColleague(name)"],
    ["head.headingLine !== null && !isNamed", "!isNamed"]
  ),
  "the hash of an address is another one in each workspace": of(BARS, [
    "` contact_history h WHERE h.workspace_id = ${workspaceId} AND h.address_hash = ${addressHash} AND",
    "` contact_history h WHERE true AND h.address_hash = ${addressHash} AND"
  ]),
  "their own lead has ended before, so that it can't leave": of(SUPPRESS, [
    "other.campaignLeadId === lead.campaignLeadId",
    "false"
  ]),
  "it is among the leads of the address, but for one of a campaign that is over": of(SUPPRESS, [
    "[lead, ...elsewhere]",
    "[...elsewhere]"
  ]),
  "who is known already gets nothing new": of(SUPPRESS, ["addressHash === lead.addressHash", "false"]),
  "no lead is known by a company that is null": of(SUPPRESS, ["company === null", "false"]),
  "nobody reads what it gives back": of(KILLS, ["true", "false", 3]),
  "the quick way past what asks for nothing, and finds nothing": [
    ...of(
      LAUNCH,
      [
        "context.rules.unverifiedMaxPercent === null ? Effect.succeed([]) : Effect.map(recheck(scope, context), (checked) => listObstacles(checked, context.rules)).pipe( Effect.catchIf(isWireError, () => Effect.succeed([])) )",
        "Effect.map(recheck(scope, context), (checked) => listObstacles(checked, context.rules)).pipe( Effect.catchIf(isWireError, () => Effect.succeed([])) )"
      ],
      [
        'context.rules.evidence !== "require" ? Effect.succeed(null) : Effect.map(recheck(scope, context), ({ kept }) => unproven(context, kept, scope.nowMillis, extent)).pipe( Effect.catchIf(isWireError, () => Effect.succeed(null)) )',
        "Effect.map(recheck(scope, context), ({ kept }) => unproven(context, kept, scope.nowMillis, extent)).pipe( Effect.catchIf(isWireError, () => Effect.succeed(null)) )"
      ],
      ["!hasOpenEvidence(leads)", "false"],
      ["looked.length > 0", "true"],
      ["looked.length > 0", "looked.length >= 0"]
    )
  ],
  "only the compiler needs it: what was looked at has evidence, other snapshots have no such member, a failure no success":
    [
      ...of(
        LAUNCH,
        ["lead.evidence ?? []", "lead.evidence"],
        [
          '"holdout" in approval.snapshot ? approval.snapshot.holdout?.percent : undefined',
          "approval.snapshot.holdout?.percent"
        ]
      ),
      ...of(SEND_REPLY, ['Result.isSuccess(asked) && asked.success === "withdrawn"', 'asked.success === "withdrawn"'])
    ],
  "which characters of a digest are the seed is a choice": [
    ...of(
      LAUNCH,
      [
        "crypto.sha256Hex(`${approval.approvalId} ${requestId}`).slice(0, SEED_CHARS)",
        "crypto.sha256Hex(`${approval.approvalId} ${requestId}`)"
      ],
      ["0", "(0 + 1)", 2]
    )
  ],
  "the same evidence is written once more": [
    ...of(LAUNCH, [
      "lead === leads[index] ? [] : [{ campaignLeadId: lead.campaignLeadId, evidence: lead.evidence ?? [] }]",
      "[{ campaignLeadId: lead.campaignLeadId, evidence: lead.evidence ?? [] }]"
    ])
  ],
  "decides only what the log of its host says": [
    ...of(
      SEND_REPLY,
      [
        'Effect.forEach(people, ({ addressHash, email }) => suppressions.sourcesOf(workspaceId, addressHash, email)).pipe( Effect.map((sources) => suppressionReason(sources.flat().filter((source) => source !== "reply"))), Effect.tapError((error) => Effect.logError("checking suppression failed", error.cause)), Effect.mapError(() => refuse("contact_history_unavailable", {})) )',
        'Effect.forEach(people, ({ addressHash, email }) => suppressions.sourcesOf(workspaceId, addressHash, email)).pipe( Effect.map((sources) => suppressionReason(sources.flat().filter((source) => source !== "reply"))), Effect.mapError(() => refuse("contact_history_unavailable", {})) )'
      ],
      ["true", "false"],
      ["true", "false", 3]
    )
  ],
  "an upstream that begins with an error is asked no further either way, and the next one is": of(
    COMPLETIONS,
    ['read?._tag === "Chunk"', "true"],
    ["read !== null", "false"]
  ),
  "it is replaced before anything is served, and decides only what a log says": of(
    COMPLETIONS,
    ["0", "(0 + 1)", 3],
    ["served = target", ""]
  ),
  "what is made of a defect is a defect too": [
    ...of(COMPLETIONS, [
      "Result.isSuccess(failure) ? Effect.succeed<Flow>({ ending: failure.success, served }) : Effect.failCause(failure.failure)",
      "Effect.succeed<Flow>({ ending: failure.success, served })"
    ]),
    ...of(
      CREDIT_STORE,
      [
        'row === undefined ? Effect.die(new Error("the workspace has no account")) : Effect.succeed({ balance: fromMicros(row.balance), reserved: fromMicros(row.reserved) })',
        "Effect.succeed({ balance: fromMicros(row.balance), reserved: fromMicros(row.reserved) })"
      ],
      [
        'row === undefined ? Effect.die(new Error("the workspace has no account")) : Effect.succeed(row.available)',
        "Effect.succeed(row.available)"
      ]
    )
  ],
  "without an Idempotency-Key nothing keeps it": of(COMPLETIONS, [
    'call.idempotencyKey === null ? {} : { repeat: refuse("stream_consumed", { request_id: call.requestId }) }',
    '{ repeat: refuse("stream_consumed", { request_id: call.requestId }) }'
  ]),
  "where there is as much as is wanted, both are that amount": of(CREDIT_STORE, [
    "available < entry.amount",
    "available <= entry.amount",
    2
  ]),
  "an absent state reads as a word that one may send": of(ASKING, [
    "sent !== null && !STATE.test(sent)",
    "!STATE.test(sent)"
  ]),
  "no client asks for what is never granted: that is left out of its request": of(ISSUING, [
    "isGrantable(scope) && asked.scopes.includes(scope)",
    "asked.scopes.includes(scope)"
  ]),
  "the grace is shorter than an access token lasts": of(
    ISSUING,
    ["Math.max(0, expiresAtMillis - nowMillis)", "expiresAtMillis - nowMillis"],
    ["0", "(0 + 1)", 3]
  ),
  "what is no refresh token is never spent, and so renews nothing": of(ISSUING, [
    'Option.filter(yield* store.token(tokenHash), ({ kind }) => kind === "refresh")',
    "yield* store.token(tokenHash)"
  ]),
  "only the compiler needs it: a token has a grant, which goes with it, and a token that can't be spent was spent": of(
    ISSUING,
    ["Option.isNone(found) || found.value.clientId !== clientId", "found.value.clientId !== clientId"],
    ["Option.isNone(used)", "false"],
    ["Option.isNone(grant)", "false"],
    ["true", "false", 3]
  ),
  "an address that can't be read is refused, so that nobody reads what is there instead": of(SIGN_UP, [
    'read._tag === "Success" ? read.success : ""',
    "read.success"
  ]),
  "no network, no address and not all together have the same name": of(
    SIGN_UP,
    ['"client"', '"address"'],
    ['"address"', '"sign_ups"'],
    ['"sign_ups"', '"client"']
  ),
  "who is known has a session, but for one who was taken out within the same transaction": of(SIGN_UP, [
    '"Over"',
    '"Failure"',
    3
  ]),
  "the shortest rest is longer than a second": of(OWN_RECORD, ["0", "(0 + 1)"]),
  "whom a server refuses by policy or as a sender, it answered": of(
    OWN_RECORD,
    ['reason === "bounces" && answer !== null', 'reason === "bounces"'],
    ['blameOf(failure) === "policy" && answer !== null', 'blameOf(failure) === "policy"']
  ),
  "a message that was never claimed has no end that could be taken back": of(OWN_RECORD, ['claim !== "none"', "true"]),
  "two leads never have the same id, and any number above or below zero orders": of(
    DISPATCHER,
    ["a.campaignLeadId < b.campaignLeadId", "a.campaignLeadId <= b.campaignLeadId"],
    ["1", "(1 + 1)"],
    ["1", "(1 + 1)", 2]
  ),
  "says only to a trace which side of a call it is": of(DISPATCHER, ['"client"', '"removed"']),
  "each message and the round as a whole can't be interrupted: either is enough": of(
    DISPATCHER,
    [
      `delivered.pipe( Effect.flatMap((outcome) => record(claimed, provider?.pace ?? OWN_PACE, outcome)), Effect.uninterruptible, // The claim stays, and ends unknown: it is not sent again. Effect.catchCause((cause) => Effect.logError("recording a message's outcome failed", cause)), about(workOf(claimed.message)) )`,
      `delivered.pipe( Effect.flatMap((outcome) => record(claimed, provider?.pace ?? OWN_PACE, outcome)), // The claim stays, and ends unknown: it is not sent again. Effect.catchCause((cause) => Effect.logError("recording a message's outcome failed", cause)), about(workOf(claimed.message)) )`
    ],
    [
      "Effect.gen(function* () { const nowMillis = yield* Clock.currentTimeMillis const claims = yield* sendings.claimDue({ nowMillis, dayStartMillis: dayStart(nowMillis), limit: CLAIMS_MAX, nextMessageId: () => ids.next(nowMillis), contactedSinceMillis: contactedSince(nowMillis) }) yield* Effect.forEach(claims, send, { concurrency: DELIVERIES_AT_ONCE, discard: true }) return claims.length }).pipe(Effect.uninterruptible)",
      "Effect.gen(function* () { const nowMillis = yield* Clock.currentTimeMillis const claims = yield* sendings.claimDue({ nowMillis, dayStartMillis: dayStart(nowMillis), limit: CLAIMS_MAX, nextMessageId: () => ids.next(nowMillis), contactedSinceMillis: contactedSince(nowMillis) }) yield* Effect.forEach(claims, send, { concurrency: DELIVERIES_AT_ONCE, discard: true }) return claims.length })"
    ]
  ),
  "what was not sent has no pace, and nobody reads what the deliveries give back": of(
    DISPATCHER,
    ["provider?.pace ?? OWN_PACE", "provider?.pace"],
    ["true", "false", 2]
  ),
  "an approval is of one workspace": of(CONTENT, [
    "pproval_id DESC OFFSET 1 ) AS old WHERE p.workspace_id = ${workspaceId} AND p.approval_id = old.approval_id `",
    "pproval_id DESC OFFSET 1 ) AS old WHERE true AND p.approval_id = old.approval_id `"
  ]),
  "of two that were replaced at one moment, which is the newer is promised to nobody": of(CONTENT, [
    "DER BY a.created_at DESC, a.approval_id DESC OFFSET 1 ) AS old WHERE p.workspace_i",
    "DER BY a.created_at DESC, a.approval_id ASC OFFSET 1 ) AS old WHERE p.workspace_i"
  ]),
  "who locks more than the one reply keeps others off it as well": of(
    SENT_REPLIES,
    [
      "sql` SELECT 1 FROM replies r WHERE r.workspace_id = ${workspaceId} AND r.reply_id = ${replyId} FOR NO KEY",
      "sql` SELECT 1 FROM replies r WHERE true AND r.reply_id = ${replyId} FOR NO KEY"
    ],
    [
      "ERE r.workspace_id = ${workspaceId} AND r.reply_id = ${replyId} FOR NO KEY UPDATE `",
      "ERE r.workspace_id = ${workspaceId} AND true FOR NO KEY UPDATE `"
    ]
  ),
  "a count of our answers always answers with a row": of(SENT_REPLIES, ["0", "(0 + 1)"], ["0", "(0 + 1)", 2]),
  "a count always answers with a row": of(
    CONTENT,
    ["0", "(0 + 1)"],
    ["0", "(0 + 1)", 2],
    ["0", "(0 + 1)", 3],
    ["0", "(0 + 1)", 4]
  ),
  "what is null is stored as null, and no reply is older than 1970": of(
    REPLIES,
    ["text === null ? null : storable(text)", "storable(text)"],
    ["filter.sinceMillis !== null", "true"]
  ),
  "a column that is read twice is read as the second says": of(
    REPLIES,
    ['["bodyText", "bodyHtml"]', '["bodyHtml"]'],
    ['["bodyText", "bodyHtml"]', '["bodyText"]']
  ),
  "what can be read is still there at the next look of the same transaction": of(REPLIES, [
    "events.length > 0 || bad.length === 0",
    "bad.length === 0"
  ]),
  "only the compiler needs it: what nothing speaks against has an answer and a mailbox, and an absent one is none": of(
    REPLY_TO,
    ["context.answer !== null && context.mailbox !== null", "context.answer !== null"],
    ["context.answer !== null && context.mailbox !== null", "context.mailbox !== null"],
    ["!isReady(found)", "false"],
    ["found.value.mailbox?.mailboxId ?? null", "found.value.mailbox?.mailboxId"]
  ),
  "names the sender in the log of its host alone": of(
    SEND_REPLY,
    ['sender?.name ?? "none"', "sender?.name"],
    ['sender?.name ?? "none"', '"none"']
  ),
  "an answer that another host resolved is of unknown outcome here, whatever fails": of(SEND_REPLY, [
    "Option.isNone(now)",
    "false"
  ]),
  "what comes twice of one workspace is in conflict with itself, and has one turn": of(SENDINGS, [
    'NTO sending_turns (workspace_id) SELECT DISTINCT g."workspaceId" FROM given g ORDER BY 1',
    'NTO sending_turns (workspace_id) SELECT g."workspaceId" FROM given g ORDER BY 1'
  ]),
  "the id of a mailbox, a campaign, a lead and a message is of one workspace, and the hash of an address too": of(
    SENDINGS,
    [
      'M ${newMailboxes.from(mailboxes)} WHERE b.workspace_id = g."workspaceId" AND b.mailbox_id = g."mailboxId" AND ($',
      'M ${newMailboxes.from(mailboxes)} WHERE true AND b.mailbox_id = g."mailboxId" AND ($'
    ],
    [
      "ON r.workspace_id = l.workspace_id AND r.campaign_id = l.campaign_id AND r.campaign_lead_id = l.campaign_lea",
      "ON r.workspace_id = l.workspace_id AND true AND r.campaign_lead_id = l.campaign_lea"
    ],
    [
      "d AND r.classification = 'bounce' WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} `",
      "d AND r.classification = 'bounce' WHERE true AND l.address_hash = ${addressHash} `"
    ],
    [
      "e, m.address_hash FROM messages m WHERE m.workspace_id = ${workspaceId} AND m.mailbox_id = ${mailboxId} AND m.s",
      "e, m.address_hash FROM messages m WHERE true AND m.mailbox_id = ${mailboxId} AND m.s"
    ],
    [
      'FROM given g WHERE g.hours IS NULL AND c.workspace_id = g."workspaceId" AND c.campaign_id = g."campaignId" RETU',
      'FROM given g WHERE g.hours IS NULL AND true AND c.campaign_id = g."campaignId" RETU'
    ],
    [
      "::integer AS sent FROM messages m WHERE m.workspace_id = ${workspaceId} AND m.campaign_id = ${campaignId} AND m",
      "::integer AS sent FROM messages m WHERE true AND m.campaign_id = ${campaignId} AND m"
    ],
    [
      "THEN 'refused' ELSE m.outcome END WHERE m.workspace_id = ${message.workspaceId} AND m.message_id = ${message.messageId}",
      "THEN 'refused' ELSE m.outcome END WHERE true AND m.message_id = ${message.messageId}"
    ]
  ),
  "a count of messages always answers with a row": of(
    SENDINGS,
    ["0", "(0 + 1)"],
    ["0", "(0 + 1)", 2],
    ["0", "(0 + 1)", 3],
    ["0", "(0 + 1)", 4],
    ["claimed ?? 0", "claimed"],
    ["0", "(0 + 1)", 5]
  ),
  "what is absent is stored as nothing": of(
    SENDINGS,
    ['["sentAtMillis"]', "[]"],
    ["handover?.receiver ?? null", "handover?.receiver"],
    ["handover?.receiver ?? null", "handover?.receiver", 2]
  ),
  "nobody reads what ending each of them gives back, and what is approved can be cancelled": of(
    EXPIRY,
    ["true", "false"],
    ["Result.isFailure(cancelled)", "false"]
  ),
  "what was never proven is unknown at any age, and nobody resumed anything before 1970": of(
    LOOK,
    [
      "isProven(finding) && nowMillis - finding.checkedAtMillis > FRESH_MILLIS",
      "nowMillis - finding.checkedAtMillis > FRESH_MILLIS"
    ],
    ["activeAtMillis ?? 0", "activeAtMillis"],
    ["0", "(0 + 1)", 2]
  ),
  "what is paused already sends no more": of(BREAKER, [
    "one.mailboxId === mailboxId || !MailboxMachine.is.sending(one.state)",
    "!MailboxMachine.is.sending(one.state)"
  ]),
  "only the compiler needs it: what is locked runs, and can stop": of(BREAKER, [
    "Result.isFailure(stopped) || !(yield* isStopped(campaign, mailbox, pause.campaigns))",
    "!(yield* isStopped(campaign, mailbox, pause.campaigns))"
  ]),
  "no time is before 1970, which is zero here": of(
    BREAKER,
    ["mailbox.value.activeAtMillis ?? 0", "mailbox.value.activeAtMillis"],
    ["0", "(0 + 1)", 3]
  ),
  "without a mail server it is received where it belongs": of(BREAKER, ["found.value[0] ?? domain", "found.value[0]"]),
  "the statement always answers with a row": of(SUPPRESSIONS, ["false", "true"]),
  "a person has each source once, so the first is the last": of(SUPPRESSIONS, [
    ") found GROUP BY found.source ORDER BY min(found.suppressed_at), found.source `",
    ") found GROUP BY found.source ORDER BY max(found.suppressed_at), found.source `"
  ])
}

/** One list of all, in which a reason that several files give has the faults of each. */
export const EQUIVALENTS = {}
for (const list of [DECIDING, ERASING, LAUNCHING, MONEY, PEOPLE, SENDING, OTHERS]) {
  for (const [reason, faults] of Object.entries(list)) (EQUIVALENTS[reason] ??= []).push(...faults)
}
