import { Effect } from "effect"
import type { WorkspaceRules } from "../../kernel/workspaces/WorkspaceRules.js"
import type { Workspace } from "../../kernel/workspaces/WorkspaceStore.js"
import { authenticationRefusal } from "../authentication/gate.js"
import { makeLooks } from "../authentication/Looks.js"
import { shownDomains } from "../authentication/shownDomains.js"
import type { Campaign } from "../campaigns/CampaignStore.js"
import { makeBoundMailboxes } from "../sending/boundMailboxes.js"
import type { Mailbox } from "../sending/SendingStore.js"

const domainsOf = (mailboxes: ReadonlyArray<Pick<Mailbox, "domain">>): ReadonlyArray<string> => [
  ...new Set(mailboxes.map(({ domain }) => domain))
]

/** What is known of the authentication of the domains that a campaign sends from, beside the workspace's rule. */
export const makeAuthentication = Effect.gen(function* () {
  const looks = yield* makeLooks
  return (workspace: Workspace, mailboxes: ReadonlyArray<Mailbox>, rules: WorkspaceRules, nowMillis: number) =>
    Effect.gen(function* () {
      const { kind, workspaceId } = workspace
      const domains = domainsOf(mailboxes)
      const found = yield* looks.read(kind, workspaceId, domains, nowMillis)
      return {
        shown: shownDomains(domains, found, rules.authentication, nowMillis),
        refusal: authenticationRefusal(rules.authentication, found, nowMillis)
      }
    })
})

/** Asks name servers about the domains of a campaign before a launch is decided, outside its transaction. */
export const makeLookAhead = Effect.gen(function* () {
  const boundMailboxes = yield* makeBoundMailboxes
  const { refresh } = yield* makeLooks
  return (campaign: Campaign) =>
    Effect.flatMap(boundMailboxes(campaign), (mailboxes) => refresh(campaign.workspaceId, domainsOf(mailboxes)))
})
