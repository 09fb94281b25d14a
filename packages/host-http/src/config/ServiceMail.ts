import { Option, Redacted, Result } from "effect"
import { all, mapped, mistake, type Mistakes, parsed, variable } from "./Setting.js"

/** The server and sender of the service's own emails. */
export interface ServiceMailConfig {
  readonly server: { readonly host: string; readonly port: number; readonly security: "tls" | "starttls" | "none" }
  /** Empty if the server needs no sign-in. */
  readonly username: string
  readonly password: Redacted.Redacted
  readonly from: { readonly address: string; readonly name: string }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

type SmtpServer = Omit<ServiceMailConfig, "from">

/** Requires TLS or STARTTLS, except for a server on this machine. */
const smtpServerOf = (text: string): SmtpServer | undefined => {
  if (!URL.canParse(text)) return undefined
  const { hash, hostname, password, pathname, port, protocol, search, username } = new URL(text)
  const [user, pass] = [decoded(username), decoded(password)]
  const isPlain = (pathname === "" || pathname === "/") && search === "" && hash === "" && hostname !== ""
  if (!/^smtps?:$/.test(protocol) || !isPlain || user === undefined || pass === undefined) return undefined
  if ((user === "") !== (pass === "")) return undefined
  const security = protocol === "smtps:" ? "tls" : LOOPBACK.test(hostname) ? "none" : "starttls"
  return {
    server: {
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? (security === "tls" ? 465 : 587) : Number(port),
      security
    },
    username: user,
    password: Redacted.make(pass)
  }
}

const smtpServer = variable("OUTBOUND_SMTP_URL", (url) =>
  Result.fromNullishOr(smtpServerOf(url.trim()), () =>
    // Don't print the value: it contains a password.
    mistake("OUTBOUND_SMTP_URL", "must be smtp://user:password@host:port or smtps://user:password@host:port")
  )
)

const FROM = /^(?:([^<>"]*)<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/

const senderOf = (text: string): ServiceMailConfig["from"] | undefined => {
  const [, name, named, bare] = FROM.exec(text) ?? []
  const address = named ?? bare
  return address === undefined ? undefined : { address, name: name?.trim() || "outbound" }
}

export const serviceMail = mapped(
  all({
    server: smtpServer,
    from: parsed("OUTBOUND_MAIL_FROM", "an address, or a name and an address in <>", senderOf)
  }),
  ({ from, server }): Result.Result<Option.Option<ServiceMailConfig>, Mistakes> => {
    if (Option.isNone(server)) return Result.succeedNone
    return Option.isNone(from)
      ? Result.fail(mistake("OUTBOUND_MAIL_FROM", "is required with OUTBOUND_SMTP_URL"))
      : Result.succeed(Option.some<ServiceMailConfig>({ ...server.value, from: from.value }))
  }
)
