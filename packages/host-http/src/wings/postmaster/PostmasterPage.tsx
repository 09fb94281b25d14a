import { mend, owner } from "@outbound/domain/control/access.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { consentUrl, failureWords, grantFor, refusalWords } from "@outbound/domain/outreach/sending/connect/consent.js"
import { type MailClient, MailClients } from "@outbound/domain/outreach/sending/connect/MailClients.js"
import { POSTMASTER_SCOPE, type PostmasterReading } from "@outbound/domain/wings/postmaster/Postmaster.js"
import { PostmasterAdmin, type PostmasterStanding } from "@outbound/domain/wings/postmaster/PostmasterAdmin.js"
import { Effect, Result } from "effect"
import { leave } from "../../console/consent/leave.js"
import { acting, MayNote } from "../../console/control/acting.js"
import {
  begunOf,
  challengeOf,
  CONNECT_MINUTES,
  stateOf,
  verifierOf
} from "../../console/mailboxes/connect/connectState.js"
import { maybe, pages } from "../../console/pages.js"
import { Form, Note, type Problem, Section, Table } from "../../console/Parts.js"
import { HEALTH } from "../../console/sendingPaths.js"
import { saidOf, titledPage } from "../../console/Shell.js"
import type { Viewer } from "../../console/Viewer.js"
import { type Inside, member, type Page } from "../../console/Visit.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"

export const POSTMASTER_PATH = "/console/settings/postmaster"

/** Where Google sends people back to. Registered with the operator's client. */
const CONNECTED = `${POSTMASTER_PATH}/connected` as const

/** Tells its states from those of mailboxes: a consent to one is none to the other. */
const PURPOSE = "Postmaster Tools"

const DONE: Readonly<Record<string, string>> = {
  connected: "Google is connected. The domains are read now, and then once a day.",
  disconnected: "The consent and what was read with it are deleted. You can also remove the service at Google."
}

const NOT_BEGUN = `This consent did not begin in this session, or more than ${CONNECT_MINUTES} minutes ago. Nothing was stored. Begin again here.`

const rate = (of: number | null): string => (of === null ? "–" : `${Math.round(of * 10_000) / 100} %`)

const needsWork = ({ requirements }: PostmasterReading): string => {
  const failing = requirements.filter(({ status }) => status === "needs_work").map(({ requirement }) => requirement)
  if (failing.length > 0) return failing.join(", ").toLowerCase().replaceAll("_", " ")
  return requirements.length === 0 ? "Not known" : "Nothing"
}

const postmasterPage = (options: {
  readonly viewer: Viewer
  readonly standing: PostmasterStanding
  readonly hasClient: boolean
  readonly done: string | null
  readonly failed?: string | undefined
  readonly problem?: Problem | undefined
}): Reply => {
  const { done, failed, hasClient, problem, standing, viewer } = options
  const { connection, readings } = standing
  return titledPage(
    {
      said: saidOf(DONE, done),
      problem,
      title: "Google Postmaster Tools",
      viewer,
      at: "settings",
      lead: (
        <>
          What Google says of your domains: whether they meet its requirements, how much of your mail its users report,
          and how much it turns away. <a href={HEALTH}>Sending health</a>
        </>
      )
    },
    <>
      <MayNote path={POSTMASTER_PATH} loosening="connect Google" />
      {failed === undefined ? null : <Note tone="bad">{failed}</Note>}
      <Section id="now" title={connection === null ? "Not connected" : "Connected"} isCard>
        {connection === null ? (
          <p>
            Add and verify your domains at postmaster.google.com first. Then connect the account that has them: the
            service may only read them.
          </p>
        ) : (
          <p>
            By {connection.connectedBy}, <Moment atMillis={connection.connectedAtMillis} />. Last read{" "}
            {connection.readAtMillis === null ? "never" : <Moment atMillis={connection.readAtMillis} />}.
          </p>
        )}
        {connection?.refusedAtMillis == null ? null : (
          <Note tone="bad">
            Google refuses the consent since <Moment atMillis={connection.refusedAtMillis} />. Connect again.
          </Note>
        )}
        {connection !== null && connection.refusedAtMillis === null && connection.failures > 0 ? (
          <Note>The last read came to nothing: Google did not answer, or its quota is used up.</Note>
        ) : null}
        {hasClient ? (
          <Form
            action={`${POSTMASTER_PATH}/connect`}
            button={connection === null ? "Connect Google" : "Connect again"}
            tone="go"
          />
        ) : connection === null || connection.refusedAtMillis !== null ? (
          <p class="soft">
            {connection === null ? "To connect" : "To connect again"}, the operator of this service has to register a
            client at Google (OUTBOUND_GOOGLE_CLIENT_ID).
          </p>
        ) : null}
        {connection === null ? null : <Form action={`${POSTMASTER_PATH}/disconnect`} button="Disconnect" tone="stop" />}
      </Section>
      <Section id="readings" title="Your domains at Google">
        <Table
          label="What Google says"
          head={["Domain", "Needs work", "Reported as spam", "Rejected", "Put off", "Of", "Read"]}
          firm={[0]}
          none="Nothing was read yet. Google has statistics of domains that write to many of its users, some days late."
          rows={readings.map((one) => [
            one.domain,
            needsWork(one),
            rate(one.spamRate),
            rate(one.rejectRate),
            rate(one.tempFailRate),
            one.day ?? "–",
            <Moment atMillis={one.readAtMillis} />
          ])}
        />
      </Section>
    </>
  )
}

export const postmasterPages = pages(
  { admin: maybe(PostmasterAdmin), clients: maybe(MailClients), crypto: Crypto, settings: Settings },
  ({ admin, clients, crypto, settings: { baseUrl } }) => {
    if (admin === null) return []
    const client: MailClient | null = clients?.all.find(({ provider }) => provider === "google") ?? null
    const redirectUri = `${baseUrl}${CONNECTED}`

    interface More {
      readonly problem?: Problem
      readonly failed?: string
    }

    const drawn = ({ by, query, viewer }: Inside, more: More = {}) =>
      Effect.andThen(
        owner(by),
        Effect.map(admin.standing(by), (standing) =>
          postmasterPage({ viewer, standing, hasClient: client !== null, done: query.get("done"), ...more })
        )
      )

    const show = (visit: Inside, more: More = {}): Page =>
      acting(visit, "/console/settings", drawn(visit, more), { done: (page) => page })

    const begin = (visit: Inside): Page => {
      const { by, nowMillis, secret, viewer, workspaceId } = visit
      const begun = Effect.gen(function* () {
        yield* admin.mayConnect(by)
        yield* mend(client === null ? [{ path: "provider", message: "has no client of the operator" }] : [])
        return client as MailClient
      })
      return acting(visit, POSTMASTER_PATH, begun, {
        done: (at) => {
          const nonce = crypto.randomToken()
          const address = viewer.signedIn.user.email
          const state = {
            provider: at.provider,
            address,
            displayName: PURPOSE,
            workspaceId,
            begunAtMillis: nowMillis,
            nonce
          }
          return leave(
            consentUrl(at, {
              address,
              state: stateOf(crypto, secret, state),
              challenge: challengeOf(crypto, verifierOf(crypto, secret, nonce)),
              redirectUri,
              scope: POSTMASTER_SCOPE
            })
          )
        },
        again: (problem) => show(visit, { problem })
      })
    }

    const end = (visit: Inside): Page => {
      const { by, nowMillis, query, secret, workspaceId } = visit
      const begun = begunOf(crypto, secret, query.get("state"), { workspaceId, nowMillis })
      if (begun === null || begun.displayName !== PURPOSE || client === null || clients === null) {
        return show(visit, { failed: NOT_BEGUN })
      }
      const error = query.get("error")
      const code = query.get("code") ?? ""
      if (error !== null || code === "" || code.length > 4_096) {
        return show(visit, { failed: refusalWords(error ?? "", "google") })
      }
      const ended = Effect.gen(function* () {
        yield* owner(by)
        const verifier = verifierOf(crypto, secret, begun.nonce)
        const exchanged = yield* Effect.result(
          clients.exchange(client, { code, verifier, redirectUri, scope: POSTMASTER_SCOPE })
        )
        if (Result.isFailure(exchanged)) {
          return yield* drawn(visit, { failed: failureWords(exchanged.failure.reason, "google") })
        }
        yield* admin.connect(by, { ...grantFor(client, exchanged.success), scope: null })
        return `${POSTMASTER_PATH}?done=connected` as const
      })
      return acting(visit, POSTMASTER_PATH, ended, { done: (next) => next })
    }

    return [
      member(POSTMASTER_PATH, { get: (visit) => show(visit) }),
      member(`${POSTMASTER_PATH}/connect`, { formOn: POSTMASTER_PATH, post: begin }),
      // A page, and not a form: Google sends the browser here. The state proves that this session began it.
      member(CONNECTED, { get: end }),
      member(`${POSTMASTER_PATH}/disconnect`, {
        formOn: POSTMASTER_PATH,
        post: (visit) =>
          acting(visit, POSTMASTER_PATH, admin.disconnect(visit.by), {
            done: () => `${POSTMASTER_PATH}?done=disconnected` as const
          })
      })
    ]
  }
)
