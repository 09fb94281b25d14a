/** Faults that change nothing anybody could notice, of launches, of additions and of what is told of them. */
const LAUNCH = "packages/domain/src/outreach/launching/launchCampaign.ts"
const EXTEND = "packages/domain/src/outreach/launching/extendCampaign.ts"
const ADD = "packages/domain/src/outreach/launching/addLeads.ts"
const DELIVERIES = "packages/domain/src/wings/webhooks/Deliveries.ts"
const PERSON = "packages/domain/src/control/personFile/PersonFile.ts"
const of = (file, ...pairs) => pairs.map(([before, after, nth = 1]) => ({ file, before, after, nth }))

export const LAUNCHING = {
  "no share of the people is nobody": of(LAUNCH, [
    "percent === undefined ? { heldOut: [], written: kept } : drawHoldout(kept, percent, seed, crypto.sha256Hex)",
    "drawHoldout(kept, percent, seed, crypto.sha256Hex)"
  ]),
  "what is known is part of all, under the same name": of(LAUNCH, [
    'known ?? (yield* unprovenLeads(scope, context, "all"))',
    '(yield* unprovenLeads(scope, context, "all"))'
  ]),
  "it comes last, and nothing refuses nothing": of(LAUNCH, ["known === null ? [] : [known]", "[known]"]),
  "of a campaign at a vendor nobody counts who waits here": of(EXTEND, ["!isAtVendor && how.finalize", "how.finalize"]),
  "who schedules a campaign is decided at its creation": of(EXTEND, ["how.before ?? vendorCampaign", "how.before"]),
  "who has no evidence was given back before": of(ADD, ["person.evidence ?? []", "person.evidence", 2]),
  "the obstacle asks for the same rule": of(ADD, [
    'rule !== "require" || !asksFor(request, campaign)',
    "!asksFor(request, campaign)"
  ]),
  "who just fits is looked at, and still fits": of(ADD, [
    "total + leadsOf(request).length <= RECIPIENTS_MAX",
    "total + leadsOf(request).length < RECIPIENTS_MAX"
  ]),
  "says only to a trace which attempt it is": of(
    DELIVERIES,
    ["claimed.attempts + 1", "claimed.attempts - 1", 2],
    ["1", "(1 + 1)", 3]
  ),
  "only the compiler tells an absent value from null where neither is worded or read on": of(
    PERSON,
    ["variants.get(step) ?? null", "variants.get(step)"],
    ["page.at(-1)?.requestId ?? null", "page.at(-1)?.requestId"]
  ),
  "after the last of a burst nothing is claimed": of(
    DELIVERIES,
    ["Option.isSome(claimed) && made < BURST_MAX", "Option.isSome(claimed)"],
    ["made < BURST_MAX", "made <= BURST_MAX"]
  )
}
