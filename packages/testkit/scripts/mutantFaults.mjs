/** The faults that `planted.mjs` plants: a line, what it becomes, the guarantee this breaks, and the tests that must notice. */
import { CRM_FAULTS } from "./crmFaults.mjs"
import { SIMULATION_FAULTS } from "./simulationFaults.mjs"
import { WATCH_FAULTS } from "./watchFaults.mjs"
import { WINNER_FAULTS } from "./winnerFaults.mjs"

const APPROVALS = "packages/domain/src/calls/approvals/Approvals.ts"
const APPROVERS = "packages/domain/src/calls/approvals/approvers.ts"
const ADMISSION = "packages/domain/src/calls/decideAdmission.ts"
const LAUNCH = "packages/domain/src/outreach/launching/launchCampaign.ts"
const RULE = "packages/domain/src/outreach/sending/sendRule.ts"
const CONSOLE = "packages/domain/src/control/console/Console.ts"
const KILLS = "packages/domain/src/control/Kills.ts"

const by = (name, ...tests) => ({ file: `packages/testkit/test/service/${name}.test.ts`, tests })
const UNDECIDED = by("confirmation", "undecided it waits, approved it works once, declined never")
const ADMISSION_TESTS = { file: "packages/domain/test/calls/decideAdmission.test.ts", tests: [] }
const RULE_TESTS = { file: "packages/domain/test/outreach/sending/sendRule.test.ts", tests: [] }
const FORMS = {
  file: "packages/host-http/test/console.test.ts",
  tests: ["without the session's token, from elsewhere, or without a session changes nothing"]
}
const REFERRALS = { file: "packages/host-http/test/consoleReferrals.test.ts", tests: [] }
const BINDING = by("confirmation", "another key, verb or body is not what was approved")

export const FAULTS = [
  {
    guarantee: "a token of another key does nothing",
    file: APPROVALS,
    find: "approval.keyId === scope.keyId && approval.verb",
    replace: "approval.verb",
    by: BINDING
  },
  {
    guarantee: "a token of another body does nothing",
    file: APPROVALS,
    find: " && approval.baseFingerprint === scope.baseFingerprint",
    replace: "",
    by: BINDING
  },
  {
    guarantee: "a used token is told before the state of the thing",
    file: APPROVALS,
    find: 'ApprovalMachine.is.used(approval.state) ? refuse("approval_superseded", { approval_url }) : null',
    replace: "null",
    by: by("confirmation", "a used token under another key is superseded")
  },
  {
    guarantee: "an expired approval executes nothing",
    file: APPROVALS,
    find: "approval.expiresAtMillis <= nowMillis && Result",
    replace: "approval.expiresAtMillis < 0 && Result",
    by: by("confirmation", "what waited too long expires")
  },
  {
    guarantee: "an undecided approval executes nothing, and says that it waits",
    file: APPROVALS,
    find: 'return refuse("confirmation_required", {',
    replace: 'if (Date.now() < 0) return refuse("confirmation_required", {',
    by: UNDECIDED
  },
  {
    guarantee: "a declined approval says so",
    file: APPROVALS,
    find: 'case "declined":\n        return refuse("approval_declined", {',
    replace: 'case "declined":\n        if (Date.now() > 0) return null\n        return refuse("approval_declined", {',
    by: UNDECIDED
  },
  {
    guarantee: "a newer request supersedes the older one",
    file: APPROVALS,
    find: "expire(older, nowMillis) : supersede(older)",
    replace: "expire(older, nowMillis) : Effect.void",
    by: by("confirmation", "asked about one target many times at once, one token stays good")
  },
  {
    guarantee: "a token executes once",
    file: APPROVALS,
    find: ": store.update({ ...approval, state: next.success, usedByIdempotencyKey: scope.idempotencyKey })",
    replace: ": Effect.void",
    by: by("confirmation", "a used token under another key is superseded")
  },
  {
    guarantee: "an approval is valid for as long as it says",
    file: APPROVALS,
    find: "const expiresAtMillis = nowMillis + asked.lifetimeMillis",
    replace: "const expiresAtMillis = nowMillis + 2 * asked.lifetimeMillis",
    by: by("confirmation", "what waited too long expires")
  },
  {
    guarantee: "a person decides on the digest that they were shown",
    file: CONSOLE,
    find: "if (approval.snapshotDigest !== digest)",
    replace: "if (digest.length < 0)",
    by: by("confirmation", "a human decides on what they were shown")
  },
  {
    guarantee: "nobody decides what is over",
    file: CONSOLE,
    find: "Result.isFailure(next) || approval.expiresAtMillis <= nowMillis",
    replace: "Result.isFailure(next)",
    by: by("confirmation", "nobody decides once the time is over")
  },
  {
    guarantee: "a declined approval can't be approved",
    file: CONSOLE,
    find: "const next = step(ApprovalMachine, approval.state, decision)",
    replace: 'const next = step(ApprovalMachine, approval.state === "declined" ? "pending" : approval.state, decision)',
    by: UNDECIDED
  },
  {
    guarantee: "the footer is bound as it was shown",
    file: "packages/domain/src/outreach/launching/CampaignContext.ts",
    find: "postal_address: workspace.postalAddress,",
    replace: "postal_address: null,",
    by: by("contentBinding", "another postal address is another footer")
  },
  {
    guarantee: "nobody and no value is launched that was not shown",
    file: LAUNCH,
    find: "if (!(yield* content.covers(approval, context, kept)))",
    replace: "if (kept.length < 0)",
    by: by("contentBinding", "a value that changed since is refused")
  },
  {
    guarantee: "a killed campaign never launches again",
    file: LAUNCH,
    find: ' && campaign.pauseReason !== "killed"',
    replace: "",
    by: by("launch", "only a draft is launched, or what is paused for another reason than a kill")
  },
  {
    guarantee: "a person who opted out since the draft is taken out at the launch",
    file: LAUNCH,
    find: "const kept = leads.filter((lead) => !removed.has(lead))",
    replace: "const kept = leads",
    by: by("launch", "who said no since the draft is taken out")
  },
  {
    guarantee: "a person shown as left out stays out",
    file: LAUNCH,
    find: "const nowMillis = shownMillis ?? scope.nowMillis",
    replace: "const nowMillis = scope.nowMillis + 0 * (shownMillis ?? 0)",
    by: by("launch", "who was shown as taken out stays out")
  },
  {
    guarantee: "a launch spends its approval",
    file: LAUNCH,
    find: "yield* approvals.use(call, approval)",
    replace: "yield* Effect.void",
    by: by("confirmation", "a used token under another key is superseded")
  },
  {
    guarantee: "a suppressed person's message is never claimed",
    file: RULE,
    find: '(facts: Facts<"bars" | "overlap">) => barOf(facts) === "opted_out"',
    replace: "() => false",
    by: RULE_TESTS
  },
  {
    guarantee: "nothing is sent from a mailbox that was not shown",
    file: RULE,
    find: '({ isBound }: Facts<"isBound">) => !isBound',
    replace: "() => false",
    by: RULE_TESTS
  },
  {
    guarantee: "nothing is claimed while sending is suspended",
    file: RULE,
    find: '({ isSuspended }: Facts<"isSuspended">) => isSuspended',
    replace: "() => false",
    by: RULE_TESTS
  },
  {
    guarantee: "a lead whose approval did not execute is not written to",
    file: RULE,
    find: "LeadMachine.is.uncovered(lead.state) || !ApprovalMachine.is.used(approval ?? undefined)",
    replace: "LeadMachine.is.uncovered(lead.state) || approval === undefined",
    by: RULE_TESTS
  },
  {
    guarantee: "a step that may have been sent is not sent again",
    file: RULE,
    find: "stepIndex === lead.stepsSent && !MessageMachine.is.unsent(state)",
    replace: "stepIndex < lead.stepsSent && !MessageMachine.is.unsent(state)",
    by: RULE_TESTS
  },
  {
    guarantee: "a claim whose checks are too old is not handed over",
    file: "packages/domain/src/outreach/sending/Dispatcher.ts",
    find: "nowMillis >= checkedAtMillis && nowMillis - checkedAtMillis <= CLAIM_GOOD_MILLIS",
    replace: "nowMillis >= checkedAtMillis",
    by: by("delivery", "a claim whose turn comes too late goes back unsent")
  },
  {
    guarantee: "a kill cancels every open approval",
    file: KILLS,
    find: "const open = yield* approvals.lockOpen(workspaceId, null)",
    replace: "const open = (yield* approvals.lockOpen(workspaceId, null)).slice(0, 0)",
    by: by("kill", "stops added people and answers as well")
  },
  {
    guarantee: "a kill stops the campaigns for good",
    file: KILLS,
    find: 'yield* campaigns.update({ ...campaign, state, pauseReason: "killed" })',
    replace: 'yield* campaigns.update({ ...campaign, state, pauseReason: "owner" })',
    by: by("kill", "stops everything, says what it did, and tells a second one the same")
  },
  {
    guarantee: "a kill suspends sending",
    file: KILLS,
    find: "{ suspendedAtMillis: nowMillis, suspendedReason: reason }",
    replace: "{ suspendedAtMillis: null, suspendedReason: reason }",
    by: by("kill", "stops added people and answers as well")
  },
  {
    guarantee: "an opt-out suppresses permanently",
    file: "packages/domain/src/outreach/optOut/Suppress.ts",
    find: "for (const source of optOut.sources) {",
    replace: "for (const source of optOut.sources.slice(0, 0)) {",
    by: by("launch", "who said no since the draft is taken out")
  },
  {
    guarantee: "another request under an Idempotency-Key is refused",
    file: ADMISSION,
    find: "if (records.some(other)) {",
    replace: "if (records.length < 0) {",
    by: by("idempotency", "another request under the same key is refused, whatever differs")
  },
  {
    guarantee: "a repeat under its Idempotency-Key is replayed",
    file: ADMISSION,
    find: "if (record === undefined) return null",
    replace: "if (record === undefined || record.outcome !== null) return null",
    by: by("idempotency", "a repeat is answered as the first call was, asks nobody and costs nothing")
  },
  {
    guarantee: "a settlement never charges more than it reserved",
    file: ADMISSION,
    find: "settlement.charge < reserved ? settlement.charge : reserved",
    replace: "settlement.charge",
    by: ADMISSION_TESTS
  },
  {
    guarantee: "credits that are reserved can't be reserved again",
    file: ADMISSION,
    find: "account: { ...state.account, reserved: plus(state.account.reserved, reserve) }",
    replace: "account: { ...state.account }",
    by: ADMISSION_TESTS
  },
  {
    guarantee: "a key without autonomy asks for nothing",
    file: ADMISSION,
    find: "(attempt.needsAutonomy || attempt.subject?.asks === true) && !key.autonomousExternalActions",
    replace: "attempt.needsAutonomy && attempt.subject?.asks === undefined && key.autonomousExternalActions",
    by: by("confirmation", "without autonomy a key neither asks nor uses what was approved")
  },
  {
    guarantee: "to loosen a limit needs a fresh sign-in",
    file: "packages/domain/src/control/access.ts",
    find: "nowMillis - by.session.createdAtMillis <= FRESH_SIGN_IN_MILLIS",
    replace: "nowMillis >= by.session.createdAtMillis",
    by: by("kill", "in the console an owner kills with any sign-in, and clears with a fresh one")
  },
  {
    guarantee: "a form without the session's CSRF token changes nothing",
    file: "packages/host-http/src/console/signInRoutes.ts",
    find: 'method === "post" && !isCsrfToken',
    replace: 'method === "none" && !isCsrfToken',
    by: FORMS
  },
  {
    guarantee: "a form from another site changes nothing",
    file: "packages/host-http/src/console/Session.ts",
    find: 'if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") return false',
    replace: "",
    by: FORMS
  },
  {
    guarantee: "what is large needs two people's approval",
    file: APPROVERS,
    find: "others.length + 1 >= needed",
    replace: "others.length + 1 >= 1",
    by: by("approvers", "a large launch needs two different people")
  },
  {
    guarantee: "one person's approval counts once",
    file: APPROVERS,
    find: 'if (votes.some(isSame)) return "same_person"',
    replace: "",
    by: by("approvers", "a large launch needs two different people")
  },
  {
    guarantee: "who made the key does not approve what it asks, if the rules say so",
    file: APPROVERS,
    find: 'if (by.userId === excludedUserId) return "excluded"',
    replace: "",
    by: by("approvers", "whoever made the key that asks can decline, not approve")
  },
  {
    guarantee: "looser rules free nothing that waits",
    file: APPROVERS,
    find: "Math.max(approval.approversNeeded, approversNeeded(rules, approval.snapshot))",
    replace: "approversNeeded(rules, approval.snapshot)",
    by: by("approvers", "the stricter of the rules then and now counts")
  },
  {
    guarantee: "the approval of somebody who has left counts no more",
    file: APPROVERS,
    find: "vote.isMember && vote.userId",
    replace: "vote.userId",
    by: by("approvers", "the approval of somebody who has left counts no more")
  },
  {
    guarantee: "a notice that may have arrived is not repeated",
    file: "packages/domain/src/control/notices/retrying.ts",
    find: 'outcome === "retry" && attempts',
    replace: "attempts",
    by: by("notices", "what may have arrived is never repeated, by chat or by mail")
  },
  {
    guarantee: "a campaign that its vendor holds otherwise than approved is not started",
    file: "packages/domain/src/outreach/sending/vendor/Activating.ts",
    find: "if (left.length === 0 && strangers === 0 && altered.length === 0) {",
    replace: "if (left.length >= 0) {",
    by: by("vendorSending", "held otherwise than approved")
  },
  {
    guarantee: "a campaign whose vendor hides somebody is not started",
    file: "packages/domain/src/outreach/sending/vendor/Activating.ts",
    find: "if (unseen === 0) return true",
    replace: "return true",
    by: by("vendorSending", "whom it confirmed and hides since")
  },
  {
    guarantee: "what a vendor sends ends with the words that were approved",
    file: "packages/domain/src/outreach/sending/vendor/Activating.ts",
    find: "person === undefined || holds(person)",
    replace: "person === undefined || true",
    by: by("vendorSending", "every message ends with the words that were approved")
  },
  {
    guarantee: "a campaign's page shows whom its own replies name",
    file: "packages/host-http/src/console/campaigns/CampaignsPage.tsx",
    find: "campaignId: id,\n              classification: null",
    replace: "campaignId: null,\n              classification: null",
    by: REFERRALS
  },
  {
    guarantee: "a campaign's page shows what was decided on whom a reply names",
    file: "packages/host-http/src/console/campaigns/CampaignsPage.tsx",
    find: 'referral: "any"',
    replace: 'referral: "open"',
    by: REFERRALS
  },
  ...SIMULATION_FAULTS,
  ...CRM_FAULTS,
  ...WATCH_FAULTS,
  ...WINNER_FAULTS
]
