import type { LedgerLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Balance } from "@outbound/domain/calls/credits/CreditStore.js"
import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"
import { minusOrZero } from "@outbound/domain/kernel/money/Credits.js"
import type { ComponentChildren } from "preact"
import type { Reply } from "../../http/Reply.js"
import { creditWords } from "../../web/Words.js"
import { Facts, type Problem } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import type { Listing } from "../paging.js"
import { Ledger } from "./Ledger.js"
import { isFiltered, type LedgerQuery } from "./ledgerQuery.js"

export const creditsPage = (
  options: Listing<LedgerLine> & {
    readonly viewer: Viewer
    readonly balance: Balance
    readonly query: LedgerQuery
    readonly keys: ReadonlyArray<Pick<ApiKey, "keyId" | "name">>
    /** What wings show above the whole ledger. */
    readonly above: ReadonlyArray<ComponentChildren>
    readonly problem?: Problem | undefined
  }
): Reply => {
  const { balance, reserved } = options.balance
  const { problem } = options
  return titledPage(
    {
      status: problem === undefined ? 200 : 400,
      typed: problem?.form,
      title: "Credits",
      viewer: options.viewer,
      at: "credits",
      lead: (
        <>
          Your balance and every change to it. For spending by day, verb and key, see <a href="/console/usage">usage</a>
          .
        </>
      )
    },
    <>
      <Facts
        of={[
          ["Available", creditWords(minusOrZero(balance, reserved)), "big"],
          ["Reserved", creditWords(reserved)],
          ["Balance", creditWords(balance)]
        ]}
      />
      {options.isLater || isFiltered(options.query) ? null : options.above}
      <Ledger of={options} query={options.query} keys={options.keys} />
    </>
  )
}
