/** Faults that the simulation must find by itself: it is told nothing of them, only what must hold. */

const ADMISSION = "packages/domain/src/calls/decideAdmission.ts"
const APPROVALS = "packages/domain/src/calls/approvals/Approvals.ts"
const LAUNCH = "packages/domain/src/outreach/launching/launchCampaign.ts"
const SETTLEMENT = "packages/domain/src/calls/settlementOf.ts"
const INBOX = "packages/domain/src/outreach/replies/Inbox.ts"
const DISPATCHER = "packages/domain/src/outreach/sending/Dispatcher.ts"
const KILLS = "packages/domain/src/control/Kills.ts"

const PLANTED = [
  {
    guarantee: "a key answers one request only",
    file: ADMISSION,
    find: "    record.verb !== verb ||\n    record.baseFingerprint !== claim.baseFingerprint ||\n",
    replace: ""
  },
  {
    guarantee: "a key that has an outcome runs no more",
    file: ADMISSION,
    find: "if (recalled !== null) return recalled",
    replace: "if (recalled !== null && recalled._tag === 'Refuse') return recalled"
  },
  {
    guarantee: "nobody spends more than the balance",
    file: ADMISSION,
    find: "if (available(account) < required) {",
    replace: "if (available(account) < 0n) {"
  },
  {
    guarantee: "no key spends more than its cap",
    file: ADMISSION,
    find: "required > 0n && minusOrZero(key.monthlySpendCap, spent) < required",
    replace: "required < 0n"
  },
  {
    guarantee: "what is held is counted for the key",
    file: ADMISSION,
    find: "reserved: plus(state.usage.reserved, reserve) }",
    replace: "reserved: state.usage.reserved }"
  },
  {
    guarantee: "what is held is held of the account",
    file: ADMISSION,
    find: "reserved: plus(state.account.reserved, reserve) }",
    replace: "reserved: state.account.reserved }"
  },
  {
    guarantee: "what is no longer held returns to the account",
    file: ADMISSION,
    find: "reserved: fromMicros(state.account.reserved - reserved)",
    replace: "reserved: state.account.reserved"
  },
  {
    guarantee: "what is no longer held returns to the key",
    file: ADMISSION,
    find: "reserved: minusOrZero(state.usage.reserved, reserved),",
    replace: "reserved: state.usage.reserved,"
  },
  {
    guarantee: "a charge lowers the balance",
    file: ADMISSION,
    find: "balance: fromMicros(state.account.balance - charged)",
    replace: "balance: state.account.balance"
  },
  {
    guarantee: "a charge is counted for the key",
    file: ADMISSION,
    find: "spent: plus(state.usage.spent, charged)",
    replace: "spent: state.usage.spent"
  },
  {
    guarantee: "a clock that goes back over the end of a month forgets no spending",
    file: ADMISSION,
    find: "usage.month >= month ? usage",
    replace: "usage.month === month ? usage"
  },
  {
    guarantee: "a call that fails costs nothing",
    file: SETTLEMENT,
    find: "    charge: zero,",
    replace: "    charge: call.reserved,"
  },
  {
    guarantee: "what succeeded is remembered under its key",
    file: SETTLEMENT,
    find: "finish.runsAgain === true) return null",
    replace: "finish.runsAgain !== true) return null"
  },
  {
    guarantee: "an approval is spent when it is used",
    file: APPROVALS,
    find: "store.update({ ...approval, state: next.success, usedByIdempotencyKey",
    replace: "store.update({ ...approval, usedByIdempotencyKey"
  },
  {
    guarantee: "a newer request takes the place of an older one",
    file: APPROVALS,
    find: ": supersede(older)",
    replace: ": Effect.void"
  },
  {
    guarantee: "a launch spends its approval",
    file: LAUNCH,
    find: "yield* approvals.use(call, approval)",
    replace: ""
  },
  {
    guarantee: "people who are added spend their approval",
    file: "packages/domain/src/outreach/launching/extendCampaign.ts",
    find: "yield* approvals.use(call, approval)",
    replace: ""
  },
  {
    guarantee: "a message that may have left is not sent again",
    file: DISPATCHER,
    find: 'return failure.reason === "unknown_outcome"',
    replace: 'return failure.reason === "invalid"'
  },
  {
    guarantee: "each claim is handed over once",
    file: DISPATCHER,
    find: "yield* Effect.forEach(claims, send,",
    replace: "yield* Effect.forEach([...claims, ...claims], send,"
  },
  {
    guarantee: "whoever answered is suppressed",
    file: INBOX,
    find: "return yield* isUnproven ? endLead : stop({ ...optOut, ...writer })",
    replace: "return yield* endLead"
  },
  {
    guarantee: "whoever bounced is suppressed",
    file: INBOX,
    find: 'return yield* stop(optOut, recorded("hard_bounce"))',
    replace: 'return yield* endLead("bounce")'
  },
  {
    guarantee: "an opt-out is written down",
    file: "packages/domain/src/outreach/optOut/Suppress.ts",
    find: "for (const source of optOut.sources) {",
    replace: "for (const source of optOut.sources.slice(1)) {"
  },
  {
    guarantee: "nothing is due for a lead that has ended",
    file: "packages/domain/src/outreach/campaigns/moveLead.ts",
    find: "nextAtMillis: LeadMachine.is.ended(state) ? null : lead.nextAtMillis",
    replace: "nextAtMillis: lead.nextAtMillis"
  },
  {
    guarantee: "a kill suspends its workspace",
    file: KILLS,
    find: "yield* workspaces.setSending(workspaceId, { suspendedAtMillis: nowMillis, suspendedReason: reason })",
    replace: ""
  },
  {
    guarantee: "what a kill paused says so",
    file: KILLS,
    find: 'pauseReason: "killed" })',
    replace: 'pauseReason: "owner" })'
  }
]

export const SIMULATION_FAULTS = PLANTED.map((fault) => ({
  ...fault,
  guarantee: `simulation: ${fault.guarantee}`,
  by: { file: "packages/testkit/test/simulation.test.ts", tests: ["runs of chance, faults and deaths"] }
}))
