import { assert, it } from "@effect/vitest"
import type { SendingHealth } from "@outbound/domain/control/reads/sendingHealth.js"
import { ADVICE_MAX } from "@outbound/domain/outreach/health/advice.js"
import { RECEIVERS_SHOWN_MAX } from "@outbound/domain/outreach/health/judgeReceivers.js"
import { TIGHTENED_MAX } from "@outbound/domain/outreach/health/tightened.js"
import { HEALTH_DOMAINS_MAX, HEALTH_MAILBOXES_MAX } from "@outbound/domain/verbs/SendingHealth.js"
import { DOMAINS_MAX, healthPage } from "../src/console/sending/HealthPage.js"
import type { Viewer } from "../src/console/Viewer.js"

/** As for every page of the console. */
const PAGE_BYTES_MAX = 100 * 1024

const AT = "2026-11-20T09:00:00.000Z"
const many = <A>(count: number, of: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, i) => of(i))
const name = (index: number) => `sending-domain-${String(index).padStart(3, "0")}.example`

const missing = {
  status: "missing",
  aligned: null,
  detail: `${name(0)} has no such record. Add a TXT record at ${name(0)}, such as "v=spf1 include:<your provider's domain> ~all".`,
  checked_at: AT
} as const

/** As much as the service can ever know. */
const HEALTH: SendingHealth = {
  evaluated_at: AT,
  domains: many(HEALTH_DOMAINS_MAX, (index) => ({
    domain: name(index),
    spf: missing,
    dkim: missing,
    dmarc: missing,
    mx: missing,
    listed_on: ["zen.blocklist.example", "dbl.blocklist.example"],
    state: "bad",
    receivers: many(RECEIVERS_SHOWN_MAX + 1, (at) => ({
      organisation: `receiving-organisation-${at}.example`,
      sent: 12_345,
      bounced: 123,
      refused: 123,
      complained: 12,
      replied: 345,
      placement: { inbox: 10, junk: 3, missing: 1, looked_at: AT },
      evidence: [
        {
          by: "canary",
          says: "between own mailboxes: 0 in the inbox, 3 in junk, 0 missing",
          at: "2026-11-20T09:00:00.000Z"
        }
      ],
      state: "watch",
      resting_until: AT
    }))
  })),
  mailboxes: many(HEALTH_MAILBOXES_MAX, (index) => ({
    mailbox: `some.person@${name(index)}`,
    domain: name(index),
    kind: "own",
    state: "active",
    paused_because: null,
    cap_today: 25,
    sent_today: 25,
    sent_last_30_days: 500,
    bounced_last_30_days: 12,
    resting_until: AT,
    state_reasons: [
      "domain_not_authenticated",
      "domain_listed",
      "bounces_high",
      "resting",
      "receiver_rests",
      "cap_reached",
      "ramping"
    ]
  })),
  done: many(TIGHTENED_MAX, (index) => ({
    at: AT,
    what: `Let some.person@${name(index)} write to nobody at receiving-organisation.example until ${AT}.`,
    why: `refused: 5.7.1 ${"said by the server ".repeat(20)}`
  })),
  advice: many(ADVICE_MAX, (index) => ({
    code: "publish_spf",
    subject: name(index),
    text: missing.detail,
    effect: "Receivers can tell the domain's servers from those of forgers.",
    by: "dns"
  }))
}

const VIEWER = {
  signedIn: {
    session: { createdAtMillis: 0, workspaceId: "w" },
    user: { email: "ada@example.com" },
    role: "owner",
    workspaceName: "Acme"
  },
  csrf: "c".repeat(43),
  standing: { approvalsPending: 0, repliesOpen: 0, changeRequestsOpen: 0, alertsOpen: 0, suspendedAtMillis: null },
  zone: "UTC",
  nowMillis: 1
} as unknown as Viewer

it("the page of sending health is light, however much there is to say, and says what it leaves out", () => {
  const { body } = healthPage({
    viewer: VIEWER,
    of: {
      health: HEALTH,
      places: { domains: new Map(), mailboxes: new Map(), hasDomains: true },
      factsOf: (domain) => ({ domain, wishes: null, mailHost: "google", reportsTo: `dmarc@${domain}` })
    },
    domains: { shown: HEALTH.domains.slice(0, DOMAINS_MAX), next: name(4), isLater: false }
  })
  assert.isBelow(Buffer.byteLength(body), PAGE_BYTES_MAX)
  for (const words of [
    "The first 25 of 200 pieces of advice",
    "39 more organisations",
    "The first 25 of 500 mailboxes"
  ]) {
    assert.include(String(body), words)
  }
})
