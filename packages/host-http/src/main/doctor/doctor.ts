import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { isReachable } from "@outbound/domain/kernel/Settings.js"
import { Effect, Option, Result } from "effect"
import { accessSync, constants, existsSync, statfsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { SMTP_DEADLINES, SmtpClient } from "@outbound/adapters/mail/SmtpClient.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import type { TLSSocket } from "node:tls"
import { type OutboundConfig, SANDBOX } from "../../Config.js"
import { runningOn } from "../RunningService.js"
import { examineDatabase } from "./database.js"
import { bad, type Finding, good, skipped, warning } from "../../commands/Finding.js"
import { certificates, MailCaError } from "../Mail.js"
import { readConfigured } from "../Providers.js"

const ANSWER_MILLIS_MAX = 5_000
const ANSWER_BYTES_MAX = 64 * 1024

/** Certificates are renewed a month before they end; two weeks before, something is wrong. */
const CERTIFICATE_DAYS_MIN = 14

/** What `/healthz` answers. */
const ALIVE = "alive\n"

interface Answer {
  readonly status: number
  readonly body: string
  /** Null without TLS. */
  readonly certificateEndsMillis: number | null
}

const get = (url: string): Effect.Effect<Answer, Error> =>
  Effect.callback((resume) => {
    const request = (url.startsWith("https:") ? tlsRequest : plainRequest)(
      url,
      { agent: false, signal: AbortSignal.timeout(ANSWER_MILLIS_MAX) },
      (response) => {
        const ends =
          "getPeerCertificate" in response.socket ? (response.socket as TLSSocket).getPeerCertificate() : null
        let body = ""
        response.setEncoding("utf8")
        response.on("error", (error) => resume(Effect.fail(error)))
        response.on("data", (part: string) => {
          body += part
          if (body.length > ANSWER_BYTES_MAX) response.destroy(new Error("the answer is too long"))
        })
        response.on("end", () => {
          const certificateEndsMillis = ends === null ? null : Date.parse(ends.valid_to)
          resume(Effect.succeed({ status: response.statusCode ?? 0, body, certificateEndsMillis }))
        })
      }
    )
    request.on("error", (error) => resume(Effect.fail(error)))
    request.end()
    return Effect.sync(() => request.destroy())
  })

const certificate = (endsMillis: number, nowMillis: number): Finding => {
  const days = Math.floor((endsMillis - nowMillis) / DAY_MILLIS)
  const words = `ends in ${days} days`
  return days < CERTIFICATE_DAYS_MIN
    ? warning("certificate", words, "Renew it, and find out why that did not happen by itself.")
    : good("certificate", words)
}

/** Why an address did not answer, and what to do. */
const unanswered = (error: Error, baseUrl: string): Finding => {
  const code = "code" in error ? String(error.code) : error.name
  const { host } = new URL(baseUrl)
  const mends: Readonly<Record<string, string>> = {
    ENOTFOUND: `Publish a DNS record for ${host}, or correct OUTBOUND_BASE_URL.`,
    ECONNREFUSED: `Start the service or its proxy: nobody listens at ${host}.`,
    TimeoutError: `Open the firewall to ${host}, or correct OUTBOUND_BASE_URL.`,
    CERT_HAS_EXPIRED: `Renew the certificate of ${host}.`,
    ERR_TLS_CERT_ALTNAME_INVALID: `Get a certificate that names ${host}.`
  }
  const mend = mends[code] ?? `Open ${baseUrl}/healthz in a browser from outside.`
  return bad("address", `${baseUrl} does not answer (${code})`, mend)
}

/** The way in from outside: name, certificate, proxy, and the page on which people unsubscribe. */
const fromOutside = (baseUrl: string) =>
  Effect.gen(function* () {
    const health = yield* get(`${baseUrl}/healthz`)
    if (health.status !== 200 || health.body !== ALIVE) {
      const found = `${baseUrl}/healthz is answered by something else (status ${health.status})`
      return [bad("address", found, "Point the proxy at this service, with all paths.")]
    }
    // No link has this token, so the page says that it is unknown.
    const way = yield* get(`${baseUrl}/u/doctor/doctor`)
    const unsubscribe =
      way.status === 404 && way.body.includes("<html")
        ? good("unsubscribe page", "answers")
        : bad(
            "unsubscribe page",
            `${baseUrl}/u/ is answered by something else (status ${way.status})`,
            "Let the proxy pass on /u/ by GET and POST, without a login."
          )
    const ends = health.certificateEndsMillis
    return [
      good("address", `${baseUrl} answers`),
      unsubscribe,
      ...(ends === null ? [] : [certificate(ends, Date.now())])
    ]
  }).pipe(Effect.catch((error) => Effect.succeed([unanswered(error, baseUrl)])))

const live = (baseUrl: string): Finding =>
  isReachable(baseUrl)
    ? good("live launches", "recipients reach the address by https")
    : warning(
        "live launches",
        `${baseUrl} is not reached by recipients, so live workspaces can't launch`,
        "Set OUTBOUND_BASE_URL to an https address that other machines reach. The sandbox needs none."
      )

/** This host speaks plain HTTP, so an https address means a proxy. */
const proxy = ({ baseUrl, trustedProxies }: Pick<OutboundConfig, "baseUrl" | "trustedProxies">): Finding =>
  baseUrl.startsWith("https:") && trustedProxies.length === 0
    ? warning(
        "proxy",
        "no proxy is trusted, so all clients count as one address",
        "Set OUTBOUND_TRUSTED_PROXIES to the addresses of your proxy."
      )
    : good("proxy", trustedProxies.length === 0 ? "none" : `trusted: ${trustedProxies.join(", ")}`)

/** `isRunning`: a service runs here, or the address is that of hosts elsewhere. */
export const examineAddress = (
  config: Pick<OutboundConfig, "baseUrl" | "trustedProxies">,
  isRunning: boolean
): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.map(
    isRunning
      ? fromOutside(config.baseUrl)
      : Effect.succeed([skipped("address", "the service does not run; start it and ask again")]),
    (found) => [...found, live(config.baseUrl), proxy(config)]
  )

const whyOf = ({ cause, reason, said }: ProviderFailure): string => {
  if (said !== undefined) return said
  const message = typeof cause === "object" && cause !== null && "message" in cause ? cause.message : ""
  return typeof message === "string" && message !== "" ? message : reason
}

/** Connects and signs in to the server of the service's own mail. Sends nothing. */
export const examineMail = (config: Pick<OutboundConfig, "mailCaFile" | "serviceMail">): Effect.Effect<Finding> =>
  Option.match(config.serviceMail, {
    onNone: () =>
      Effect.succeed(
        warning(
          "mail",
          "none, so members get their sign-in links and alerts from you alone",
          "Set OUTBOUND_SMTP_URL and OUTBOUND_MAIL_FROM."
        )
      ),
    onSome: ({ from, password: secret, server: smtp, username }) =>
      Effect.gen(function* () {
        const ca = yield* certificates(config)
        const account = { smtp, username, secret, auth: "password" } as const
        yield* Effect.acquireUseRelease(
          SmtpClient.open(account, { ca, deadlines: SMTP_DEADLINES }),
          () => Effect.void,
          (client) => client.quit
        )
        return good("mail", `${smtp.host}:${smtp.port} accepts the sign-in, as ${from.address}`)
      }).pipe(
        Effect.catch((error) => {
          const found = `${smtp.host}:${smtp.port} fails: ${error instanceof MailCaError ? error.message : whyOf(error)}`
          return Effect.succeed(bad("mail", found, "Correct OUTBOUND_SMTP_URL or OUTBOUND_MAIL_CA."))
        })
      )
  })

/** The file of providers. Whether each of them works, `outbound providers check` finds out. */
export const examineProviders = (config: Pick<OutboundConfig, "providers">): Effect.Effect<Finding> =>
  Effect.map(Effect.result(readConfigured(config)), (read) =>
    Result.isFailure(read)
      ? bad("providers", read.failure.message, "Correct the file that OUTBOUND_PROVIDERS names.")
      : config.providers === SANDBOX
        ? good("providers", "none: live workspaces find nothing, the sandbox has its own world")
        : good("providers", `${config.providers} is valid; outbound providers check asks each of them`)
  )

const NODE_MAJOR_MIN = 20

/** With less room the database stops within days of ordinary work. */
const ROOM_BYTES_MIN = 1_073_741_824
const GIGABYTE = 1_000_000_000

const node = (version: string): Finding => {
  const major = Number(version.split(".", 1)[0])
  return major >= NODE_MAJOR_MIN
    ? good("Node", version)
    : bad("Node", `${version} is too old`, `Install Node ${NODE_MAJOR_MIN} or newer.`)
}

/** The directory, or the nearest one above it that is there already. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

const dataDirectory = (dataDir: string): Finding => {
  const path = resolve(dataDir)
  const there = nearest(path)
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch {
    const mend = `Give this user the right to write there, or set OUTBOUND_DATA_DIR to another directory.`
    return bad("data directory", `${there} can't be written`, mend)
  }
  const { bavail, bsize } = statfsSync(there)
  const free = bavail * bsize
  const words = `${path}, ${(free / GIGABYTE).toFixed(1)} GB free`
  return free < ROOM_BYTES_MIN
    ? warning("data directory", words, "Make room on the disk, or set OUTBOUND_DATA_DIR to a larger one.")
    : good("data directory", words)
}

/** The program and its directory. */
export const examineMachine = (
  dataDir: string,
  version: string = process.versions.node
): Effect.Effect<ReadonlyArray<Finding>> => Effect.sync(() => [node(version), dataDirectory(dataDir)])

/** Everything that a service with this configuration relies on. Changes nothing and sends nothing. */
export const examine = (config: OutboundConfig): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { dataDir } = config.database
    const isRunning = runningOn(dataDir) !== undefined || isReachable(config.baseUrl)
    const [address, mail, providers] = yield* Effect.all(
      [examineAddress(config, isRunning), examineMail(config), examineProviders(config)],
      { concurrency: "unbounded" }
    )
    return [
      ...(yield* examineMachine(dataDir)),
      ...(yield* examineDatabase(config.database, config.workers)),
      ...address,
      mail,
      providers
    ]
  })
