import type { VendorScheduled, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect } from "effect"
import type { VendorHttp } from "../VendorHttp.js"
import type { SmartleadSettings } from "./settings.js"
import { Account, isOn, listAt } from "./shapes.js"

const Accounts = listAt(Account, "data", "email_accounts")
type Account = typeof Account.Type

const PAGE = 100
const PAGES_MAX = 50

const addressOf = ({ from_email }: Account): string => from_email.trim().toLowerCase()

const works = ({ is_imap_success, is_smtp_success }: Account): boolean =>
  (is_smtp_success === null || isOn(is_smtp_success)) && (is_imap_success === null || isOn(is_imap_success))

export const makeMailboxes = (http: VendorHttp, settings: SmartleadSettings) => {
  const accounts = Effect.gen(function* () {
    const found: Array<Account> = []
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query = { offset: found.length, limit: PAGE }
      const rows = yield* http.get(Accounts, "/email-accounts/", query)
      found.push(...rows)
      // A short page may be the vendor's maximum, so only an empty one is the last.
      if (rows.length === 0) return found
    }
    return yield* http.failed("transient", "it lists mailboxes without an end")
  })

  const existing: NonNullable<VendorScheduled["existing"]> = Effect.map(accounts, (found) =>
    found.map((one) => ({ address: addressOf(one), displayName: one.from_name ?? "", isActive: works(one) }))
  )

  /**
   * Sets exactly these mailboxes. Smartlead has no daily limit per campaign, so the number of mailboxes and their
   * limits keep the cap.
   */
  const assign = (campaign: string, { dailySends, mailboxDailySends, mailboxes }: VendorTerms) =>
    Effect.gen(function* () {
      if (mailboxes.length === 0) return
      const senders = new Set(mailboxes.slice(0, Math.max(1, dailySends)).map((one) => one.toLowerCase()))
      const accountsFound = (yield* accounts).filter((one) => senders.has(addressOf(one)))
      if (accountsFound.length === 0) return yield* http.failed("invalid", "it has none of the mailboxes")
      const path = `${campaign}/email-accounts`
      const assigned = new Set((yield* http.get(Accounts, path)).map(({ id }) => id))
      const wanted = new Set(accountsFound.map(({ id }) => id))
      if (settings.set_mailbox_limits) {
        const dailyMax = Math.max(1, Math.min(mailboxDailySends, Math.floor(dailySends / accountsFound.length)))
        for (const { id } of accountsFound) {
          const body = { max_email_per_day: dailyMax }
          const limited = `/email-accounts/${encodeURIComponent(id)}`
          yield* http.change("POST", limited, body)
        }
      }
      const added = [...wanted].filter((id) => !assigned.has(id)).map(Number)
      const surplus = [...assigned].filter((id) => !wanted.has(id)).map(Number)
      const change = (method: "POST" | "DELETE", ids: ReadonlyArray<number>) =>
        http.change(method, path, { email_account_ids: ids })
      if (added.length > 0) yield* change("POST", added)
      if (surplus.length > 0) yield* change("DELETE", surplus)
    })

  /** From which the campaign sends. */
  const senders = (campaign: string) =>
    Effect.map(http.get(Accounts, `${campaign}/email-accounts`), (found) => found.map(addressOf))

  return { existing, assign, senders }
}
