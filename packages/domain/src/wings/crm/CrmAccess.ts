import { Redacted } from "effect"
import type { Issue } from "../../kernel/errors/Wire.js"
import { isLoopbackHost } from "../../kernel/Settings.js"
import { isPossibleSecret } from "../../sources/ownKeys/secret.js"

/** What opens an account at a CRM. */
export interface CrmAccess {
  /** The origin of the account's own address, such as `https://crm.example.com`; null: all accounts have one. */
  readonly address: string | null
  /** The id of the program that the secret belongs to; null: the secret is a key by itself. */
  readonly clientId: string | null
  readonly secret: Redacted.Redacted
}

/** What a CRM's form asks for beside the key. */
export interface CrmAsks {
  readonly address: {
    readonly example: string
    /** The hosts that it may name, and what to say of others; absent: every public one. */
    readonly hosts?: { readonly pattern: RegExp; readonly words: string }
  }
  /** What that CRM calls the id of the program, and its key. */
  readonly clientId?: string
  readonly key?: string
}

/** What was typed. Fields that the CRM does not ask for are ignored. */
export interface TypedAccess {
  readonly address: string
  readonly clientId: string
  readonly secret: string
}

const ADDRESS_CHARS_MAX = 300
const CLIENT_ID = /^[\x21-\x7e]{1,512}$/

/** Lower ports belong to the machine's own services. */
const OWN_PORT_MIN = 1_024

/** A host of a private network is the operator's to allow. */
const UNLESS_LISTED = ", unless the operator of this service lists the host in OUTBOUND_CRM_HOSTS"

const isAddress = (host: string): boolean => host.startsWith("[") || /^[\d.]+$/.test(host)

const mustBe = (path: string, message: string): ReadonlyArray<Issue> => [{ path, message }]

/** Where an account with its own address may be, beside the public ones. */
export interface CrmPlaces {
  /** Whether the service runs on its user's own machine, and so may ask that machine. */
  readonly isAtHome: boolean
  /** Whether the operator lets an account be at this host of a private network, as a URL writes it. */
  readonly isListed: (hostname: string) => boolean
}

/** The adapter checks the addresses that the name resolves to, again for each connection. */
const addressIssues = (text: string, { example, hosts }: CrmAsks["address"], { isAtHome, isListed }: CrmPlaces) => {
  if (text.length > ADDRESS_CHARS_MAX || !URL.canParse(text)) {
    return mustBe("address", `must be an address that begins with https://, such as ${example}`)
  }
  const { hash, hostname, password, pathname, port, protocol, search, username } = new URL(text)
  if (username !== "" || password !== "") return mustBe("address", "must not contain a user name or password")
  if (pathname !== "/" || search !== "" || hash !== "") {
    return mustBe("address", `must end after the host name, such as ${example}`)
  }
  const isAllowed = isListed(hostname)
  // A program beside the service can be asked only where its user runs both, or the operator wants it.
  const isOwn = (isAtHome || isAllowed) && isLoopbackHost(hostname)
  if (protocol !== "https:" && !(protocol === "http:" && (isOwn || isAllowed))) {
    return mustBe("address", `must use https${UNLESS_LISTED}`)
  }
  if (hosts !== undefined && !hosts.pattern.test(hostname)) return mustBe("address", hosts.words)
  if (isOwn) {
    return Number(port || 443) < OWN_PORT_MIN
      ? mustBe("address", `must name a port from ${OWN_PORT_MIN} on, on a loopback host`)
      : []
  }
  // A name without a dot is one of the service's own network.
  const isInner = isAddress(hostname) || !hostname.includes(".")
  return isInner && !isAllowed ? mustBe("address", `must have a public host name${UNLESS_LISTED}`) : []
}

/** What is wrong with what was typed, all of it. */
export const accessIssues = (
  { address, clientId, secret }: TypedAccess,
  asks: CrmAsks | undefined,
  places: CrmPlaces
): ReadonlyArray<Issue> => [
  ...(asks === undefined ? [] : addressIssues(address.trim(), asks.address, places)),
  ...(asks?.clientId === undefined || CLIENT_ID.test(clientId.trim())
    ? []
    : mustBe("client_id", "must be 1 to 512 characters on one line, without spaces")),
  ...(isPossibleSecret(secret.trim()) ? [] : mustBe("key", "must be 8 to 4,096 characters on one line, without spaces"))
]

/** Of what has no issues. */
export const accessOf = ({ address, clientId, secret }: TypedAccess, asks: CrmAsks | undefined): CrmAccess => ({
  address: asks === undefined ? null : new URL(address.trim()).origin,
  clientId: asks?.clientId === undefined ? null : clientId.trim(),
  secret: Redacted.make(secret.trim())
})
