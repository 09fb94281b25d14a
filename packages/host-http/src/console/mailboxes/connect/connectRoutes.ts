import { freshOwner, mend, owner } from "@outbound/domain/control/access.js"
import type { ControlRefused } from "@outbound/domain/control/Control.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import {
  consentUrl,
  failureWords,
  grantFor,
  PROVIDER_SERVERS,
  refusalWords
} from "@outbound/domain/outreach/sending/connect/consent.js"
import type { MailClient, MailClients } from "@outbound/domain/outreach/sending/connect/MailClients.js"
import type { AddReport, MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { grantSecret } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Effect, Option, Result } from "effect"
import { leave } from "../../consent/leave.js"
import { acting } from "../../control/acting.js"
import { asControl } from "../../control/wire.js"
import { type Inside, member, type Page, type Route } from "../../Visit.js"
import { CONNECT, mailboxAddedPage } from "../NewMailboxPage.js"
import { connectPage, type ConnectPageOptions } from "./ConnectPage.js"
import { begunOf, challengeOf, CONNECT_MINUTES, type ConnectBegun, stateOf, verifierOf } from "./connectState.js"

/** Where providers send people back to. Registered with each client. */
export const CONNECTED = "/console/mailboxes/connected"

const NOT_BEGUN = `This consent did not begin in this session, or more than ${CONNECT_MINUTES} minutes ago. Nothing was stored. Begin again here.`

const NOT_ADDED =
  "The mailbox was not added: a step of the test failed. Mend it as said below, and press the button again."

const text = (form: URLSearchParams, name: string): string => (form.get(name) ?? "").trim()

interface Services {
  readonly baseUrl: string
  readonly clients: MailClients["Service"]
  readonly crypto: Crypto["Service"]
  readonly mailboxes: MailboxAdmin["Service"]
  readonly workspaces: WorkspaceStore["Service"]
  /** One test of a workspace at a time. */
  readonly withTurn: <A, E>(workspaceId: string, work: Effect.Effect<A, E>) => Effect.Effect<A, E | ControlRefused>
}

/** "Connect Google" and "Connect Microsoft": to the provider's page of consent, and back (RFC 6749 §4.1, RFC 7636). */
export const connectRoutes = (services: Services): ReadonlyArray<Route> => {
  const { baseUrl, clients, crypto, mailboxes, withTurn, workspaces } = services
  const providers = clients.all.map(({ provider }) => provider)
  const redirectUri = `${baseUrl}${CONNECTED}`

  const show = ({ viewer, workspaceId }: Inside, more: Pick<ConnectPageOptions, "failed" | "problem"> = {}) =>
    Effect.map(workspaces.get(workspaceId), (found) =>
      connectPage({ viewer, isLive: Option.exists(found, ({ kind }) => kind === "live"), providers, ...more })
    )

  const begin = (visit: Inside): Page => {
    const { by, form, nowMillis, secret, workspaceId } = visit
    const begun = Effect.gen(function* () {
      yield* freshOwner(by)
      const found = yield* workspaces.get(workspaceId)
      const client = clients.all.find(({ provider }) => provider === form.get("provider"))
      const address = usableEmail(text(form, "address"))
      const displayName = text(form, "name")
      yield* mend([
        ...(Option.exists(found, ({ kind }) => kind === "live")
          ? []
          : [{ path: "workspace", message: "is a sandbox, which never sends real email" }]),
        ...(client === undefined ? [{ path: "provider", message: "must be one of the buttons" }] : []),
        ...(address === null ? [{ path: "address", message: "must be an email address" }] : []),
        ...(displayName === "" || displayName.length > 120 || /\p{Cc}/u.test(displayName)
          ? [{ path: "name", message: "must have 1 to 120 characters on one line" }]
          : [])
      ])
      return { client: client as MailClient, address: address as string, displayName }
    })
    return acting(visit, CONNECT, begun, {
      done: ({ address, client, displayName }) => {
        const nonce = crypto.randomToken()
        const { provider } = client
        const state = { provider, address, displayName, workspaceId, begunAtMillis: nowMillis, nonce }
        return leave(
          consentUrl(client, {
            address,
            state: stateOf(crypto, secret, state),
            challenge: challengeOf(crypto, verifierOf(crypto, secret, nonce)),
            redirectUri
          })
        )
      },
      again: (problem) => show(visit, { problem })
    })
  }

  /** The mailbox with what its person allowed; left: why there is nothing to store. */
  const connect = (
    { secret, workspaceId }: Inside,
    begun: ConnectBegun,
    client: MailClient,
    code: string
  ): Effect.Effect<Result.Result<AddReport, string>, ControlRefused | StoreUnavailable> =>
    Effect.gen(function* () {
      const verifier = verifierOf(crypto, secret, begun.nonce)
      const exchanged = yield* Effect.result(clients.exchange(client, { code, verifier, redirectUri }))
      if (Result.isFailure(exchanged)) return Result.fail(failureWords(exchanged.failure.reason, client.provider))
      const report = yield* asControl(
        mailboxes.add(
          workspaceId,
          {
            ...PROVIDER_SERVERS[client.provider],
            address: begun.address,
            displayName: begun.displayName,
            username: begun.address,
            auth: "oauth",
            secret: grantSecret(grantFor(client, exchanged.success)),
            dkimSelectors: []
          },
          "console"
        )
      )
      return Result.succeed(report)
    })

  const end = (visit: Inside): Page => {
    const { by, nowMillis, query, secret, viewer, workspaceId } = visit
    const begun = begunOf(crypto, secret, query.get("state"), { workspaceId, nowMillis })
    const client = clients.all.find(({ provider }) => provider === begun?.provider)
    if (begun === null || client === undefined) {
      return show(visit, { failed: { says: NOT_BEGUN } })
    }
    const form = new URLSearchParams({ address: begun.address, name: begun.displayName })
    const error = query.get("error")
    const code = query.get("code") ?? ""
    if (error !== null || code === "" || code.length > 4_096) {
      return show(visit, { failed: { says: refusalWords(error ?? "", begun.provider), form } })
    }
    const says = (why: string, report?: AddReport) => show(visit, { failed: { says: why, form, report } })
    const connected = Effect.gen(function* () {
      yield* owner(by)
      const outcome = yield* withTurn(workspaceId, connect(visit, begun, client, code))
      if (Result.isFailure(outcome)) return yield* says(outcome.failure)
      const report = outcome.success
      return report.mailbox === null ? yield* says(NOT_ADDED, report) : mailboxAddedPage(viewer, report, report.mailbox)
    })
    return acting(visit, CONNECT, connected, {
      done: (page) => page,
      again: (problem) => show(visit, { problem: { ...problem, form } })
    })
  }

  return [
    member(CONNECT, { get: (visit) => show(visit), post: begin }),
    // A page, and not a form: the provider sends the browser here. The state proves that this session began it.
    member(CONNECTED, { get: end })
  ]
}
