import { assert, it } from "@effect/vitest"
import type { MailboxLine } from "../../src/control/console/ConsoleReads.js"
import { shownMailbox } from "../../src/control/reads/mailboxes.js"

const NOW = Date.UTC(2026, 10, 2, 12)

const shown = (given: Partial<MailboxLine>) =>
  shownMailbox(
    {
      address: "jo@acme.test",
      domain: "acme.test",
      kind: "purchased",
      state: "active",
      pauseReason: null,
      sendsToday: 4,
      restsUntilMillis: null,
      ...given
    } as MailboxLine,
    undefined,
    25,
    null,
    NOW
  )

it("a mailbox rests until the moment that it may send again, and then no more", () => {
  assert.strictEqual(shown({ restsUntilMillis: NOW + 1 }).resting_until, "2026-11-02T12:00:00.001Z")
  assert.isNull(shown({ restsUntilMillis: NOW }).resting_until)
  assert.isNull(shown({}).resting_until)
})

it("a mailbox that never comes back has no cap; one that is paused keeps its own", () => {
  assert.strictEqual(shown({}).cap_today, 25)
  assert.strictEqual(shown({ state: "paused", pauseReason: "owner" }).cap_today, 25)
  assert.strictEqual(shown({ state: "failed" }).cap_today, 0)
})
