/** Faults that change nothing anybody could notice: who signs in, who approves, what is paid, and what is told of it. */
const SIGN_IN_MAIL = "packages/domain/src/control/console/SignInMail.ts"
const ASKS = "packages/domain/src/control/users/asks.ts"
const SESSION = "packages/host-http/src/console/Session.ts"
const CONSOLE = "packages/domain/src/control/console/Console.ts"
const PAYMENTS = "packages/domain/src/wings/payments/Payments.ts"
const RISKS = "packages/domain/src/control/risks"
const RETRYING = "packages/domain/src/control/notices/retrying.ts"
const PIPELINE = "packages/domain/src/calls/Pipeline.ts"
const RATE = "packages/domain/src/calls/keys/RateWindow.ts"
const DIRECTION = "packages/domain/src/control/rules/directionOfRules.ts"
const ATTENTION = "packages/domain/src/control/attention/Attention.ts"
const RATES = "packages/domain/src/control/attention/rates.ts"
const PLAN = "packages/domain/src/control/attention/plan.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

export const PEOPLE = {
  "a letter that was not written is sent to nobody either way; only the log of the host differs": of(
    SIGN_IN_MAIL,
    [
      'makeSignInLink(email).pipe( Effect.map((secret): Letter | null => signInLetter(baseUrl, email, secret)), Effect.catchIf( (error) => error._tag === "not_found", () => Effect.succeed(null) ) )',
      "makeSignInLink(email).pipe( Effect.map((secret): Letter | null => signInLetter(baseUrl, email, secret)) )"
    ],
    ['error._tag === "not_found"', 'error._tag !== "not_found"']
  ),
  "subjects are sorted for one order of locks: the sign of a comparison gives it, and equal ones are one subject": of(
    ASKS,
    ["a.subject < b.subject", "a.subject <= b.subject"],
    ["1", "(1 + 1)"],
    ["1", "(1 + 1)", 2]
  ),
  "only the compiler needs it: no secret is as short as the word null": of(
    SESSION,
    ["secret !== null && SECRET.test(secret)", "SECRET.test(secret)"],
    ["secret !== null && SECRET.test(secret)", "SECRET.test(secret)", 2]
  ),
  "no zone of this Node's list has a plus in its name; that of another Node may": of(SESSION, [
    'value.replaceAll("%2F", "/").replaceAll("%2B", "+")',
    'value.replaceAll("%2F", "/")'
  ]),
  "who made the key is looked up for nothing where no rule excludes them": of(CONSOLE, [
    "rules.excludesKeyOwner ? yield* askerOf(approvals, { workspaceId, keyId, byUserId: askedByUserId }) : null",
    "yield* askerOf(approvals, { workspaceId, keyId, byUserId: askedByUserId })"
  ]),
  "only the compiler needs it: what offers the rule is about a campaign": of(CONSOLE, [
    '"campaign_name" in snapshot ? snapshot.campaign_name : null',
    "snapshot.campaign_name"
  ]),
  "only the compiler needs it: a payment that was just read or begun is there, and none is none": of(
    PAYMENTS,
    ['applied.kind === "missing" ? null : applied.payment', "applied.payment"],
    ["after ?? payment", "after"],
    ["after ?? payment", "after", 2]
  ),
  "a credit costs one cent, so that times and through it are the same": of(PAYMENTS, [
    "credits * CENTS_PER_CREDIT",
    "credits / CENTS_PER_CREDIT"
  ]),
  "what each payment of a round came to is not asked for": of(PAYMENTS, ["true", "false"]),
  "only the compiler needs it: what a request does not show is absent": [
    ...of(`${RISKS}/contentRisks.ts`, ['"content" in snapshot ? snapshot.content : undefined', "snapshot.content"]),
    ...of(`${RISKS}/domainRisks.ts`, [
      '"sending_domains" in snapshot ? snapshot.sending_domains : undefined',
      "snapshot.sending_domains"
    ]),
    ...of(`${RISKS}/holdoutRisk.ts`, [
      '"holdout" in snapshot ? snapshot.holdout?.people : undefined',
      "snapshot.holdout?.people"
    ]),
    ...of(`${RISKS}/listRisks.ts`, ['"list" in snapshot ? snapshot.list : undefined', "snapshot.list"]),
    ...of(`${RISKS}/sendingRisks.ts`, [
      '"timezone_unknown" in snapshot ? snapshot.timezone_unknown : undefined',
      "snapshot.timezone_unknown"
    ])
  ],
  "two requests of a queue never have one id, and the sign of a comparison is its order": of(
    `${RISKS}/queue.ts`,
    ["a.of.approval.approvalId < b.of.approval.approvalId", "a.of.approval.approvalId <= b.of.approval.approvalId"],
    ["1", "(1 + 1)"],
    ["1", "(1 + 1)", 2]
  ),
  "only the compiler needs it: every weight is counted, and none differs in place minus one": of(
    `${RISKS}/risks.ts`,
    ["at < 0 ? 0 : (second[at] ?? 0) - (first[at] ?? 0)", "(second[at] ?? 0) - (first[at] ?? 0)"],
    ["second[at] ?? 0", "second[at]"],
    ["first[at] ?? 0", "first[at]"]
  ),
  "every wait is longer than a millisecond, and null is no longer than nothing": of(
    RETRYING,
    ["retryAfterMillis ?? 0", "retryAfterMillis"],
    ["0", "(0 + 1)"]
  ),
  "decides only what the log of the host says of a call that failed": of(
    PIPELINE,
    [
      "journal .settle(settlement) .pipe( Effect.retry(settleRetry), Effect.ignore({ log: true }), Effect.forkDetach, Effect.andThen(Effect.fail(error)) )",
      "journal .settle(settlement) .pipe( Effect.retry(settleRetry), Effect.forkDetach, Effect.andThen(Effect.fail(error)) )"
    ],
    [
      "journal .settle(settlement) .pipe( Effect.retry(settleRetry), Effect.ignore({ log: true }), Effect.forkDetach, Effect.andThen(Effect.fail(error)) )",
      "journal .settle(settlement) .pipe( Effect.retry(settleRetry), Effect.ignore({ log: true }), Effect.forkDetach )"
    ],
    ["true", "false", 2],
    ["true", "false", 3],
    [
      'Option.exists(Cause.findErrorOption(cause), isWireError) ? Effect.void : Effect.logError("call failed", cause)',
      "Effect.void"
    ],
    [
      'Option.exists(Cause.findErrorOption(cause), isWireError) ? Effect.void : Effect.logError("call failed", cause)',
      'Effect.logError("call failed", cause)'
    ]
  ),
  "what is kept for repeats is the result as it is written; it only saves writing it twice": of(
    PIPELINE,
    ["finish.repeat === undefined ? settlement.outcome : null", "null"],
    ["kept?.body ?? JSON.stringify(finish.result)", "JSON.stringify(finish.result)"]
  ),
  "only the compiler needs it: what is beyond grants has a scope, and what was not read is neither tried nor admitted":
    of(
      PIPELINE,
      ["scope !== null && !isGrantable(scope)", "!isGrantable(scope)"],
      ['verb.scope ?? ""', "verb.scope"],
      [
        "prepared === null ? Effect.fail(internal) : about(workOf(incoming))(preview(prepared, attempt, admission, crypto))",
        "about(workOf(incoming))(preview(prepared, attempt, admission, crypto))"
      ],
      [
        "prepared === null ? Effect.fail(internal) : perform(prepared, attempt, admission)",
        "perform(prepared, attempt, admission)"
      ]
    ),
  "a second beside the window counts nothing, and each of its own has a count": of(
    RATE,
    ["index < current.counts.length", "index <= current.counts.length"],
    ["current.counts[index] ?? 0", "current.counts[index]"],
    ["counts.at(-1) ?? 0", "counts.at(-1)"],
    ["0", "(0 + 1)", 10],
    ["0", "(0 + 1)", 16]
  ),
  "a slice that begins before the first second begins with it": of(RATE, [
    "Math.max(0, counts.length - slots)",
    "counts.length - slots"
  ]),
  "of no second is any index below zero": of(RATE, ["1", "(1 + 1)"]),
  "a rule that stays where it is was named before": of(DIRECTION, ["by > 0", "by >= 0"]),
  "the quick way of a window that stands: the rest makes the same of it": of(
    RATE,
    ["passed === 0 && window.counts.length > 0 && window.counts.length <= slots", "false"],
    ["window.counts.length <= slots", "window.counts.length < slots"],
    ["0", "(0 + 1)", 3]
  ),
  "only the compiler needs it: a request with people to write to has messages, and nobody is more than no bound": of(
    ATTENTION,
    ["people !== null && attentionAbove !== null", "attentionAbove !== null"],
    ["people === null", "false"],
    ['approval === null || people === null || !("steps" in approval.snapshot)', "approval === null || people === null"],
    ["approval === null || people === null", "people === null"],
    ['"content" in snapshot && snapshot.content !== undefined', '"content" in snapshot'],
    ['"content" in snapshot && snapshot.content !== undefined', "snapshot.content !== undefined"],
    ["people ?? 0", "people"]
  ),
  "an approver's rate is one, so no two are of one address, and the sign of a comparison is their order": of(
    RATES,
    ["a.email < b.email", "a.email <= b.email"],
    ["1", "(1 + 1)", 2],
    ["1", "(1 + 1)", 3]
  ),
  "hashes of two texts are never alike, and the sign of their comparison is their order": of(
    PLAN,
    ["a < b", "a <= b"],
    ["1", "(1 + 1)"],
    ["a > b ? 1 : 0", "1"],
    ["a > b", "a >= b"],
    ["1", "(1 + 1)", 2],
    ["0", "(0 + 1)", 2]
  )
}
