/** The faults of live pages, of the kept counts of campaigns, and of blocklists. */

const EVENTS = "packages/host-http/src/console/events/eventRoutes.ts"
const COUNTS = "packages/adapters/src/postgres/migrations/0049_campaign_counts.ts"
const REPUTATION = "packages/domain/src/outreach/reputation"

const events = (...tests) => ({ file: "packages/host-http/test/consoleEvents.test.ts", tests })
const signals = (...tests) => ({ file: "packages/adapters/test/work/ChangeSignals.test.ts", tests })
const counted = (...tests) => ({ file: "packages/adapters/test/outbound/manyLeads.test.ts", tests })
const watched = (...tests) => ({ file: "packages/testkit/test/service/reputation.test.ts", tests })

const KEPT = counted("counts what its statements change", "keeps every kind of count")
const REFUSES = watched("a list that refuses, is silent, or lists everything")

/** A row of the counts that a trigger keeps wrongly. */
const count = (guarantee, find, replace) => ({
  guarantee: `kept counts: ${guarantee}`,
  file: COUNTS,
  find,
  replace,
  by: KEPT
})

export const WATCH_FAULTS = [
  {
    guarantee: "live pages of one address are bounded",
    file: EVENTS,
    find: "LIMITS.watchersPerAddressMax, LIMITS.watchersPerSessionMax",
    replace: "LIMITS.watchersMax, LIMITS.watchersPerSessionMax",
    by: events("is bounded for each address")
  },
  {
    guarantee: "live pages of one session are bounded",
    file: EVENTS,
    find: "LIMITS.watchersPerAddressMax, LIMITS.watchersPerSessionMax",
    replace: "LIMITS.watchersPerAddressMax, LIMITS.watchersMax",
    by: events("is bounded for each session")
  },
  {
    guarantee: "a live page that is cut off ends its stream",
    file: EVENTS,
    find: "isOpen = yield* write(`event: changed",
    replace: "yield* write(`event: changed",
    by: events("holds one event for a reader")
  },
  {
    guarantee: "a live page that ended watches no longer",
    file: EVENTS,
    find: "for (const end of ends) end()",
    replace: "leave()",
    by: events("holds one event for a reader")
  },
  {
    guarantee: "a live page says nothing after its session",
    file: EVENTS,
    find: "if (bell.isOver || !(yield* isIn)) return",
    replace: "if (bell.isOver) return",
    by: events("ends with its session before it says anything more")
  },
  {
    guarantee: "a sign-out signals its workspace",
    file: "packages/adapters/src/postgres/PgUserStore.ts",
    find: "session_hash = ${sessionHash} AND ended_at IS NULL\n        RETURNING ${told}",
    replace: "session_hash = ${sessionHash} AND ended_at IS NULL",
    by: signals("come at once when somebody signs out")
  },
  {
    guarantee: "a sign-out everywhere signals its workspaces",
    file: "packages/adapters/src/postgres/PgUserStore.ts",
    find: "user_id = ${userId} AND ended_at IS NULL\n          RETURNING ${told}",
    replace: "user_id = ${userId} AND ended_at IS NULL",
    by: signals("come at once when somebody signs out")
  },
  {
    guarantee: "a removed member signals the workspace",
    file: "packages/adapters/src/postgres/PgUserStore.ts",
    find: "RETURNING user_id, ${told}",
    replace: "RETURNING user_id",
    by: signals("come at once when somebody signs out")
  },
  count("states of leads", "('lead', -1, NULL::smallint, l.state, 1)", "('lead', -1, NULL::smallint, 'x', 1)"),
  count("contacted", "(l.steps_sent > 0)::integer),\n    ('sent'", "1),\n    ('sent'"),
  count(
    "messages of a mailbox",
    "coalesce(l.mailbox_id::text, ''), l.steps_sent)",
    "coalesce(l.mailbox_id::text, ''), 1)"
  ),
  count(
    "leads of a mailbox",
    "('of_mailbox', -1, NULL, coalesce(l.mailbox_id::text, ''), 1)",
    "('of_mailbox', -1, NULL, '', 1)"
  ),
  count("the last step", "('last', l.steps_sent - 1, l.last_variant", "('last', l.steps_sent, l.last_variant"),
  count(
    "wants more",
    "l.interest_status IN ('interested', 'meeting_booked', 'won'))",
    "l.interest_status IN ('interested'))"
  ),
  count(
    "meets",
    "l.interest_status IN ('meeting_booked', 'won'))::integer",
    "l.interest_status IN ('won', 'lost'))::integer"
  ),
  count("covered", "(l.is_open AND l.approval_id IS NOT NULL)::integer", "l.is_open::integer"),
  count("uncovered", "(l.is_open AND l.approval_id IS NULL)::integer", "l.is_open::integer"),
  count("unconfirmed", "l.approval_id IS NOT NULL AND l.state = 'pending'", "l.approval_id IS NOT NULL"),
  count("hours", "('hours', -1, NULL, coalesce(l.hours, ''), l.is_open::integer)", "('hours', -1, NULL, '', 1)"),
  count("who is open", "AND steps_sent < steps AS is_open", "AS is_open"),
  count(
    "states of messages",
    "('message', m.step_index, m.variant, m.state, 1)",
    "('message', m.step_index, m.variant, 'sent', 1)"
  ),
  count("days", "(m.sent_at AT TIME ZONE 'UTC')::date::text", "(m.sent_at AT TIME ZONE 'Asia/Tokyo')::date::text"),
  count("a message that is sent", "(m.state = 'sent')::integer)", "1)"),
  count(
    "what an update replaced",
    '`${rowsOf("rows_after", "1")} UNION ALL ${rowsOf("rows_before", "-1")}`',
    'rowsOf("rows_after", "1")'
  ),
  count(
    "what was added",
    'IF TG_OP = \'INSERT\' THEN ${counted(alias, rowsOf("rows_after", "1"), of)}',
    "IF TG_OP = 'INSERT' THEN"
  ),
  count("what is gone", 'ELSE ${counted(alias, rowsOf("rows_before", "-1"), of)}', "ELSE"),
  count("they stay few", "LIMIT 100\n    ) few\n  ) < 100 THEN RETURN", "LIMIT 100\n    ) few\n  ) < 101 THEN RETURN"),
  count("adding up loses none", "sum(g.n), true FROM gone g", "max(g.n), true FROM gone g"),
  count(
    "the last variant",
    "AND m.step_index = NEW.steps_sent - 1 AND m.state = 'sent'\n  );",
    "AND m.step_index = NEW.steps_sent AND m.state = 'sent'\n  );"
  ),
  {
    guarantee: "blocklists: an error of a list is no listing",
    file: `${REPUTATION}/blocklists.ts`,
    find: '!answer.startsWith("127.255.255.") &&',
    replace: "",
    by: REFUSES
  },
  {
    guarantee: "blocklists: a name that a list can't read is no listing",
    file: `${REPUTATION}/blocklists.ts`,
    find: 'answer !== "127.0.1.255" &&',
    replace: "",
    by: REFUSES
  },
  {
    guarantee: "blocklists: a refused resolver is no listing",
    file: `${REPUTATION}/blocklists.ts`,
    find: 'answer !== "127.0.1.255" &&\n    answer !== "127.0.0.1"',
    replace: 'answer !== "127.0.1.255"',
    by: REFUSES
  },
  {
    guarantee: "blocklists: an address outside 127/8 is no listing",
    file: `${REPUTATION}/blocklists.ts`,
    find: 'answer.startsWith("127.") &&',
    replace: "",
    by: REFUSES
  },
  {
    guarantee: "blocklists: one error among answers is no listing",
    file: `${REPUTATION}/blocklists.ts`,
    find: 'answers.every(isListing) ? "listed"',
    replace: 'answers.some(isListing) ? "listed"',
    by: REFUSES
  },
  {
    guarantee: "blocklists: a list that lists everything lists nothing (never listed, a domain)",
    file: `${REPUTATION}/blocklists.ts`,
    find: 'domain: "invalid"',
    replace: 'domain: "valid"',
    by: REFUSES
  },
  {
    guarantee: "blocklists: a list that lists everything lists nothing (never listed, an address)",
    file: `${REPUTATION}/blocklists.ts`,
    find: 'address: "127.0.0.1" }',
    replace: 'address: "127.0.0.9" }',
    by: watched("a list of addresses that lists this machine")
  },
  {
    guarantee: "blocklists: a list that does not say whether it lists everything lists nothing",
    file: `${REPUTATION}/blocklists.ts`,
    find: '(_: RecordsUnavailable) => Effect.succeed({ _tag: "silent" }',
    replace: '(_: RecordsUnavailable) => Effect.succeed({ _tag: "clear" }',
    by: REFUSES
  },
  {
    guarantee: "blocklists: a list without words lists all the same",
    file: `${REPUTATION}/blocklists.ts`,
    find: "yield* Effect.result(records.txt(name))",
    replace: "Result.succeed(yield* records.txt(name))",
    by: watched("a listing counts though the list gives no reason")
  },
  {
    guarantee: "blocklists: a look that is not due asks nobody",
    file: `${REPUTATION}/watchJob.ts`,
    find: "if (leftMillis > 0) return",
    replace: "if (leftMillis > Number.MAX_SAFE_INTEGER) return",
    by: watched("a look that is not due asks nobody")
  },
  {
    guarantee: "blocklists: a clock that was set back makes nobody wait longer than once",
    file: `${REPUTATION}/watchJob.ts`,
    find: "waitFor(Math.min(leftMillis, LOOK_MILLIS))",
    replace: "waitFor(leftMillis)",
    by: watched("a look that is not due asks nobody")
  }
]
