/** Faults that change nothing anybody could notice, of hosts that send from own mailboxes, and of looks at who is due. */
const OWN_DISPATCH = "packages/domain/src/outreach/sending/OwnDispatch.ts"
const DUE_LEADS = "packages/adapters/src/postgres/dueLeads.ts"
const PLANNER = "packages/domain/src/outreach/sending/planner.ts"
const REFUSALS = "packages/domain/src/outreach/sending/refusals.ts"
const COMPOSE = "packages/domain/src/outreach/sending/compose.ts"
const MAIL_REFUSALS = "packages/domain/src/kernel/people/mailRefusals.ts"
const LEAVE = "packages/domain/src/outreach/campaigns/leave.ts"
const MOVE = "packages/domain/src/outreach/campaigns/moveLead.ts"
const SHOWN_DOMAINS = "packages/domain/src/outreach/authentication/shownDomains.ts"
const RECEIVERS = "packages/domain/src/outreach/health/judgeReceivers.ts"
const VOCABULARY = "packages/domain/src/outreach/evidence/vocabulary.ts"
const STANDS_IN = "packages/domain/src/outreach/evidence/standsIn.ts"
const IMPORTER = "packages/domain/src/outreach/campaigns/Importer.ts"
const ADVICE = "packages/domain/src/outreach/health/advice.ts"
const ASK_NAMES = "packages/domain/src/outreach/authentication/askNames.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

export const SENDING = {
  "only the compiler needs it: each record is judged, with what was found or what to do, and a good one was found": of(
    ASK_NAMES,
    ['advice ?? found ?? ""', "advice ?? found"],
    ['"unknown"', '"weak"'],
    ["!passes(spf) || spf.found === null", "!passes(spf)"],
    ["vitals.find((one) => one.name === name) ?? { ...UNKNOWN, name }", "vitals.find((one) => one.name === name)"]
  ),
  "the quick way past nobody who leaves, and past a lead that is written as it was": [
    ...of(LEAVE, ["leads.length === 0", "false"]),
    ...of(MOVE, ["isMoved || always !== undefined || and !== undefined", "true"])
  ],
  "any number above the others orders first, a time is above one, and each name is listed once": [
    ...of(
      SHOWN_DOMAINS,
      ["3", "(3 + 1)"],
      ["a.domain < b.domain", "a.domain <= b.domain"],
      ["1", "(1 + 1)", 2],
      ["1", "(1 + 1)", 3]
    ),
    ...of(
      RECEIVERS,
      ["0", "(0 + 1)", 3],
      ["1_000_000_000", "(1_000_000_000 + 1)"],
      ["0", "(0 + 1)", 4],
      ["a[0] < b[0]", "a[0] <= b[0]"],
      ["1", "(1 + 1)", 2],
      ["1", "(1 + 1)", 3]
    )
  ],
  "two words that are the same never come here, so that they differ before either ends, and only the compiler asks for groups":
    of(
      VOCABULARY,
      ["one.length < other.length", "one.length <= other.length"],
      [
        "shared < one.length && shared < other.length && one[shared] === other[shared]",
        "one[shared] === other[shared]"
      ],
      ["shared < one.length && shared < other.length", "shared < one.length"],
      ["shared < one.length && shared < other.length", "shared < other.length"],
      ["shared < one.length", "shared <= one.length"],
      ["shared < other.length", "shared <= other.length"],
      ["one === other || spelt(one) === spelt(other)", "spelt(one) === spelt(other)"],
      [
        "groups !== undefined && groupOf.get(other)?.some((group) => groups.includes(group)) === true",
        "groupOf.get(other)?.some((group) => groups.includes(group)) === true"
      ]
    ),
  "what is found begins at a word, of which each has its place, and of several the first is taken": of(
    STANDS_IN,
    ["starts.length - 1", "starts.length + 1"],
    ["starts[middle] ?? 0", "starts[middle]"],
    ["0", "(0 + 1)", 2],
    ["at >= 0 && found.length < REACH", "found.length < REACH"],
    [
      "word === undefined || next === undefined || ENDS.test(text.slice(word.at + word.text.length, next.at))",
      "ENDS.test(text.slice(word.at + word.text.length, next.at))"
    ],
    ["word === undefined || next === undefined", "word === undefined"],
    ["word === undefined || next === undefined", "next === undefined"],
    ["1", "(1 + 1)", 7],
    ["1", "(1 + 1)", 8]
  ),
  "only the compiler needs it: an absent code or reason is none of those asked for, who is invalid has a fault, and a step that is sent is in its sequence":
    [
      ...of(
        REFUSALS,
        ["code !== null && SIGN_IN.has(code)", "SIGN_IN.has(code)"],
        ["status !== null && SENDER_ADDRESS.has(status)", "SENDER_ADDRESS.has(status)"],
        ["status !== null && isRecipientsOwn(status)", "isRecipientsOwn(status)"],
        ["status !== null && isPolicy(status)", "isPolicy(status)"]
      ),
      ...of(COMPOSE, ['sequence[stepIndex]?.body ?? ""', "sequence[stepIndex]?.body"]),
      ...of(IMPORTER, ["fault === undefined ? [] : [{ index, email, ...fault }]", "[{ index, email, ...fault }]"]),
      ...of(ADVICE, [
        "pausedBecause !== null && TO_RESUME.includes(pausedBecause)",
        "TO_RESUME.includes(pausedBecause)"
      ])
    ],
  "what is remembered of headings, and for how long, is what would be found again": of(
    MAIL_REFUSALS,
    ["known !== undefined", "false"],
    ["meanings.size >= MEANINGS_MAX", "true"],
    ["meanings.size >= MEANINGS_MAX", "false"],
    ["meanings.size >= MEANINGS_MAX", "meanings.size > MEANINGS_MAX"],
    ["meanings.clear()", ""],
    ["meanings.set(heading, meaning)", ""]
  ),
  "only the compiler needs it: what is known of an organisation has its ramps, and the other way round": of(
    PLANNER,
    ["at && use.at", "at"],
    ["at && use.at", "use.at"]
  ),
  "the day before yesterday has no window left, and no schedule stays closed for 400 days": of(
    PLANNER,
    ["1", "(1 + 1)", 2],
    ["day <= today + WINDOW_WITHIN_DAYS", "day < today + WINDOW_WITHIN_DAYS"]
  ),
  "a window that is over, or has a millisecond left, leaves the shortest rest": of(
    PLANNER,
    ["Math.max(0, options.closesAtMillis - options.nowMillis)", "options.closesAtMillis - options.nowMillis"],
    ["0", "(0 + 1)", 9]
  ),
  "where nothing bounds the workspace, what it sent takes nothing": of(
    PLANNER,
    ["0", "(0 + 1)", 2],
    ["0", "(0 + 1)", 7]
  ),
  "says only to a trace why a session failed": of(OWN_DISPATCH, [
    'handing._tag === "Failed" ? handing.failure.reason : null',
    "null"
  ]),
  "nobody reads what each look-up, and each fiber that begins, gives back": of(
    OWN_DISPATCH,
    ["true", "false"],
    ["true", "false", 2]
  ),
  "an account that nobody can sign in with is paused at once, however often it was tried": of(OWN_DISPATCH, [
    "1",
    "(1 + 1)",
    5
  ]),
  "only the compiler needs it: no rest is later than now": of(OWN_DISPATCH, [
    "restsUntilMillis !== null && restsUntilMillis > nowMillis",
    "restsUntilMillis > nowMillis"
  ]),
  "any time that is over says that it may write, and none that it gives is this very moment": of(
    OWN_DISPATCH,
    ["0", "(0 + 1)", 6],
    ["untilMillis <= nowMillis", "untilMillis < nowMillis"]
  ),
  "what is paused already is not paused again": of(OWN_DISPATCH, [
    "MailboxMachine.is.sending(mailbox.state) && (yield* Effect.as(cannotOpen(mailbox), false))",
    "(yield* Effect.as(cannotOpen(mailbox), false))"
  ]),
  "the look leaves out who is served already, and asks just before: either is enough": of(
    OWN_DISPATCH,
    ["busy.has(mailboxId)", "false"],
    ["false", "true", 4]
  ),
  "decides only what the log of its host says of a mailbox whose round failed": of(OWN_DISPATCH, [
    'serveAlone(connected, work, givenUp).pipe( Effect.catchCause((cause) => Effect.logWarning("a sending round of an own mailbox failed", cause)), about({ workspace_id: connected.mailbox.workspaceId, mailbox_id: connected.mailbox.mailboxId }), Effect.asVoid )',
    "serveAlone(connected, work, givenUp).pipe( about({ workspace_id: connected.mailbox.workspaceId, mailbox_id: connected.mailbox.mailboxId }), Effect.asVoid )"
  ]),
  "`removalOf` refuses who is not due, who is put off is asked for it again under the lock, and the due come first": of(
    DUE_LEADS,
    [
      "d AND l.campaign_id = c.campaign_id AND l.next_at <= now.at AND ${sendable} ORDER BY l.next_at, l.c",
      "d AND l.campaign_id = c.campaign_id AND true AND ${sendable} ORDER BY l.next_at, l.c"
    ]
  ),
  "`removalOf` refuses whom the workspace lets wait": of(DUE_LEADS, [
    'STOPPED} OR (${isContacted(PERSON)} AND NOT ${queues("l.workspace_id")}) ) `',
    "STOPPED} OR (${isContacted(PERSON)} AND true) ) `"
  ]),
  "only the compiler needs it: both texts of such a row are read as they come": of(DUE_LEADS, [
    '{ ...texts("workspaceId", "campaignLeadId") }',
    "{ }"
  ]),
  "of nobody there are no facts to read": of(DUE_LEADS, ["barred.length === 0", "false"]),
  "the id of a lead is of one workspace": of(DUE_LEADS, [
    "d AND b.mailbox_id = l.mailbox_id WHERE l.workspace_id = ANY(${workspaceIds}::uuid[]) AND l.campaign_lead_id = ANY(${barred.m",
    "d AND b.mailbox_id = l.mailbox_id WHERE true AND l.campaign_lead_id = ANY(${barred.m"
  ])
}
