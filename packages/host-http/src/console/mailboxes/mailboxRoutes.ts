import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { maybe, pages } from "../pages.js"
import { freshOwner, may, mend, orNotFound, owner } from "@outbound/domain/control/access.js"
import type { ControlRefused } from "@outbound/domain/control/Control.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { MailClients } from "@outbound/domain/outreach/sending/connect/MailClients.js"
import type { MailServer } from "@outbound/domain/outreach/mail/MailTransport.js"
import {
  MailboxAdmin,
  type MailboxConnection,
  type MailboxStatement,
  serverOf
} from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { grantPlace, grantSecret } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Effect, Option, Redacted, Result } from "effect"
import { confirmPage } from "../control/ConfirmPage.js"
import { acting, allOf, countOf, type Typed, typed } from "../control/acting.js"
import { asControl } from "../control/wire.js"
import type { Problem } from "../Parts.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"
import { HEALTH, SENDING } from "../sendingPaths.js"
import { connectRoutes } from "./connect/connectRoutes.js"
import { tableRoutes } from "./table/tableRoutes.js"
import { declarePage } from "./DeclarePage.js"
import { mailboxAddedPage, newMailboxPage } from "./NewMailboxPage.js"

const EXAMPLES = {
  smtp: "smtps://host:465 or smtp+starttls://host:587",
  imap: "imaps://host:993 or imap+starttls://host:143"
} as const

const text = (form: URLSearchParams, name: string): string => (form.get(name) ?? "").trim()

const server = (form: URLSearchParams, name: keyof typeof EXAMPLES): Typed<MailServer> => {
  const given = serverOf(name, text(form, name))
  return given === null ? Result.fail([{ path: name, message: `must be ${EXAMPLES[name]}` }]) : Result.succeed(given)
}

type SignIn = Pick<MailboxConnection, "auth" | "secret">

/** Sign-in with a refresh token, at Google, Microsoft or another token endpoint. */
const grant = (form: URLSearchParams, provider: "google" | "microsoft" | null): Typed<SignIn> => {
  const tokenUrl = text(form, "token_url")
  const place = grantPlace(provider, tokenUrl === "" ? null : tokenUrl)
  if (place === null) return Result.fail([{ path: "token-url", message: "is required" }])
  const clientSecret = form.get("client_secret") ?? ""
  return Result.succeed({
    auth: "oauth",
    secret: grantSecret({
      ...place,
      clientId: text(form, "client_id"),
      clientSecret: clientSecret === "" ? null : Redacted.make(clientSecret),
      refreshToken: Redacted.make(form.get("secret") ?? "")
    })
  })
}

const signIn = (form: URLSearchParams): Typed<SignIn> => {
  const given = form.get("auth")
  switch (given) {
    case "password":
    case "xoauth2":
      return Result.succeed({ auth: given, secret: Redacted.make(form.get("secret") ?? "") })
    case "google":
    case "microsoft":
      return grant(form, given)
    case "oauth":
      return grant(form, null)
    default:
      return Result.fail([{ path: "auth", message: "must be a password, a refresh token or an access token" }])
  }
}

/** The connection that the form describes. It is validated when it is added. */
const connectionOf = (form: URLSearchParams): Typed<MailboxConnection> => {
  const typed = allOf({ smtp: server(form, "smtp"), imap: server(form, "imap"), signIn: signIn(form) })
  const address = text(form, "address")
  const username = text(form, "username")
  return Result.map(typed, ({ signIn, ...servers }) => ({
    ...servers,
    ...signIn,
    address,
    displayName: text(form, "name"),
    username: username === "" ? address : username,
    dkimSelectors: text(form, "dkim_selectors")
      .split(/[\s,]+/)
      .filter((one) => one !== "")
  }))
}

/** Where a form about a mailbox may stand: who sends it comes back there. */
const PLACES = [SENDING, HEALTH] as const

const placeOf = (form: URLSearchParams): (typeof PLACES)[number] =>
  PLACES.find((place) => place === form.get("back")) ?? SENDING
const LIST = "/console/mailboxes"
const NEW = `${LIST}/new`

const isOf =
  (mailboxId: string) =>
  (one: { readonly mailboxId: string }): boolean =>
    one.mailboxId === mailboxId

/** How many mailboxes a host tests at once, each for up to two minutes; one per workspace. */
export const TESTED_AT_ONCE_MAX = 8

/** Own mailboxes. Any member can pause one; adding and resuming need an owner with a fresh sign-in. */
export const mailboxPages = pages(
  {
    clients: maybe(MailClients),
    crypto: Crypto,
    mailboxes: maybe(MailboxAdmin),
    settings: Settings,
    workspaces: WorkspaceStore
  },
  ({ mailboxes, ...given }) => (mailboxes === null ? [] : routesWith({ ...given, mailboxes }))
)

const routesWith = ({
  clients,
  crypto,
  mailboxes,
  settings: { baseUrl },
  workspaces
}: {
  /** Null: the operator has no client at any provider. */
  readonly clients: MailClients["Service"] | null
  readonly crypto: Crypto["Service"]
  readonly mailboxes: MailboxAdmin["Service"]
  readonly settings: Settings["Service"]
  readonly workspaces: WorkspaceStore["Service"]
}): ReadonlyArray<Route> => {
  const providers = clients?.all.map(({ provider }) => provider) ?? []
  const testing = new Set<string>()

  const enter = (workspaceId: string): Effect.Effect<void, ControlRefused> =>
    Effect.suspend(() => {
      if (testing.has(workspaceId) || testing.size >= TESTED_AT_ONCE_MAX) {
        return mend([{ path: "mailbox", message: "can’t be tested while another test runs. Try again in two minutes" }])
      }
      testing.add(workspaceId)
      return Effect.void
    })

  const leaveTurn = (workspaceId: string): void => void testing.delete(workspaceId)

  const withTurn = <A, E>(workspaceId: string, work: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      enter(workspaceId),
      () => work,
      () => Effect.sync(() => leaveTurn(workspaceId))
    )

  const show = ({ viewer, workspaceId }: Inside, problem?: Problem): Page =>
    Effect.map(workspaces.get(workspaceId), (found) => {
      const isLive = Option.exists(found, ({ kind }) => kind === "live")
      return newMailboxPage({ viewer, isLive, providers, problem })
    })

  const add = (visit: Inside): Page => {
    const { by, form, viewer, workspaceId } = visit
    const added = Effect.gen(function* () {
      yield* freshOwner(by)
      const connection = yield* typed(connectionOf(form))
      return yield* withTurn(workspaceId, asControl(mailboxes.add(workspaceId, connection, "console")))
    })
    return acting(visit, NEW, added, {
      done: (report) =>
        report.mailbox === null
          ? newMailboxPage({ viewer, isLive: true, providers, failed: { report, form } })
          : mailboxAddedPage(viewer, report, report.mailbox),
      again: (problem) => show(visit, problem)
    })
  }

  const mailboxAt = (visit: Inside) =>
    Effect.gen(function* () {
      yield* owner(visit.by)
      // A sandbox has none.
      const all = yield* asControl(mailboxes.list(visit.workspaceId)).pipe(
        Effect.catchTag("ControlRefused", () => Effect.succeed([]))
      )
      return yield* orNotFound(Effect.succeed(Option.fromNullishOr(all.find(isOf(visit.id)))))
    })

  const askRemove = (visit: Inside): Page => {
    return acting(visit, SENDING, mailboxAt(visit), {
      done: ({ address }) =>
        confirmPage({
          viewer: visit.viewer,
          title: `Remove ${address}?`,
          at: "sending",
          effects: [
            "Its connection and its secret are deleted. To use it again, you add it anew, with the secret.",
            "It sends nothing more, and answers that come to it are not read any more.",
            "People whom it wrote to, and who are owed another message, get none: nobody else takes them over.",
            "A campaign without another mailbox is paused. To stop it for a while only, pause the mailbox instead."
          ],
          action: `${LIST}/${visit.id}/remove`,
          button: "Remove permanently",
          back: SENDING
        })
    })
  }

  const askDeclare = (visit: Inside, problem?: Problem): Page =>
    acting(visit, SENDING, mailboxAt(visit), {
      done: ({ address }) => declarePage({ viewer: visit.viewer, mailboxId: visit.id, address, problem })
    })

  /** The day that was typed, at its beginning (UTC). */
  const statementOf = (form: URLSearchParams): Typed<MailboxStatement> => {
    const since = text(form, "since")
    const sinceMillis = /^\d{4}-\d{2}-\d{2}$/.test(since) ? Date.parse(`${since}T00:00:00Z`) : Number.NaN
    const day: Typed<number> = Number.isNaN(sinceMillis)
      ? Result.fail([{ path: "since", message: "must be a day such as 2026-03-01" }])
      : Result.succeed(sinceMillis)
    return Result.map(allOf({ sends: countOf(form, "sends"), day }), ({ day: at, sends }) => ({
      sends,
      sinceMillis: at
    }))
  }

  const declare = (visit: Inside): Page => {
    const { by, form, id, workspaceId } = visit
    const stated = Effect.gen(function* () {
      yield* freshOwner(by)
      const statement = yield* typed(statementOf(form))
      yield* asControl(mailboxes.declare(workspaceId, id, statement, "console"))
    })
    return acting(visit, SENDING, stated, { again: (problem) => askDeclare(visit, problem) })
  }

  const change = (
    event: "pause" | "resume" | "remove",
    allowed: (visit: Inside) => Effect.Effect<void, ControlRefused>,
    get?: (visit: Inside) => Page
  ): Route =>
    member(`${LIST}/:id/${event}`, {
      ...(get === undefined ? {} : { get }),
      formOn: SENDING,
      post: (visit) =>
        acting(
          visit,
          placeOf(visit.form),
          Effect.andThen(allowed(visit), asControl(mailboxes[event](visit.workspaceId, visit.id, "console")))
        )
    })

  return [
    member(NEW, { get: (visit) => show(visit) }),
    member(LIST, { formOn: NEW, post: add }),
    change("pause", ({ by }) => may(by, "tighten")),
    change("resume", ({ by }) => may(by, "loosen")),
    change("remove", ({ by }) => owner(by), askRemove),
    ...tableRoutes({ mailboxes, workspaces, turn: { enter, leave: leaveTurn } }),
    member(`${LIST}/:id/declare`, { get: (visit) => askDeclare(visit), formOn: SENDING, post: declare }),
    ...(clients === null ? [] : connectRoutes({ baseUrl, clients, crypto, mailboxes, workspaces, withTurn }))
  ]
}
