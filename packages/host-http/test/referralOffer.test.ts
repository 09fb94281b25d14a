import { assert, it } from "@effect/vitest"
import type { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { createHash } from "node:crypto"
import { asksFor, type Offer, shownOffer } from "../src/console/referrals/ReferralPage.js"
import { addLeads, launch, reply } from "./support/ConsoleHost.js"

const crypto = { sha256Hex: (text: string) => createHash("sha256").update(text).digest("hex") }

const REFERRAL = {
  replyId: "0197c3a0-0000-7000-8000-00000000000d",
  fromEmail: "jo@customer.test",
  referredEmail: "named@customer.test",
  campaignId: launch.campaign_id,
  campaignName: launch.campaign_name
}

const named = { email: REFERRAL.referredEmail, name: null, company_name: null }
const somebody = { email: "somebody@else.test", name: null, company_name: null }

const ASKED = { ...addLeads, leads: 1, recipients: [named] } as Extract<ApprovalSnapshot, { kind: "add_leads" }>

const OFFER: Offer = {
  steps: launch.steps,
  mailboxes: launch.mailboxes,
  postalAddress: launch.postal_address,
  words: null,
  texts: {}
}

it("a press adds the person of its page alone, to its campaign, with its texts: another request is not theirs", () => {
  const shown = shownOffer(crypto, REFERRAL, OFFER)
  assert.isTrue(asksFor(crypto, ASKED, REFERRAL, shown))
  // Which of the mailboxes comes first says nothing.
  assert.isTrue(asksFor(crypto, { ...ASKED, mailboxes: ASKED.mailboxes.toReversed() }, REFERRAL, shown))
  const [first, ...later] = ASKED.steps
  const others: Readonly<Record<string, ApprovalSnapshot>> = {
    "somebody else": { ...ASKED, recipients: [somebody] },
    "somebody beside": { ...ASKED, leads: 2, recipients: [named, somebody] },
    "somebody beside, not named": { ...ASKED, leads: 2 },
    "somebody beside, not counted": { ...ASKED, recipients: [named, somebody] },
    "another campaign": { ...ASKED, campaign_id: "0197c3a0-0000-7000-8000-00000000000e" },
    "another text": { ...ASKED, steps: [{ ...first!, body: "Buy." }, ...later] },
    "a step more": { ...ASKED, steps: [...ASKED.steps, first!] },
    "another mailbox": { ...ASKED, mailboxes: ["eve@acme-mail.test"] },
    "another postal address": { ...ASKED, postal_address: "Elsewhere" },
    "a launch": launch,
    "an answer": reply
  }
  for (const [name, snapshot] of Object.entries(others))
    assert.isFalse(asksFor(crypto, snapshot, REFERRAL, shown), name)
  const other = { ...REFERRAL, replyId: "0197c3a0-0000-7000-8000-00000000000f" }
  assert.isFalse(asksFor(crypto, ASKED, other, shown), "named in another reply")
})
