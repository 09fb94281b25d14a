import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { SESSION_DAYS } from "@outbound/domain/control/console/Console.js"
import { CHALLENGE_MINUTES } from "@outbound/domain/control/console/PasskeyAccess.js"
import { timingSafeEqual } from "node:crypto"
import { UTC, zoneNamed } from "../web/Zone.js"

const NEXT_MINUTES = 30
const ZONE_DAYS = 365

/** `__Host-`: only this host can set the cookie, over HTTPS (RFC 6265bis). Plain HTTP is for local use only. */
const isSecure = (baseUrl: string): boolean => baseUrl.startsWith("https:")
const nameOf = (baseUrl: string, name: string): string => (isSecure(baseUrl) ? `__Host-${name}` : name)

const cookie = (baseUrl: string, name: string, value: string, maxAgeSeconds: number): string =>
  `${nameOf(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${isSecure(baseUrl) ? "; Secure" : ""}`

const readCookie = (header: string | undefined, name: string): string | null => {
  for (const part of (header ?? "").split(";")) {
    const [key = "", ...value] = part.split("=")
    if (key.trim() === name) return value.join("=").trim()
  }
  return null
}

const SECRET = /^[A-Za-z0-9_-]{20,200}$/

export const sessionCookie = {
  set: (baseUrl: string, secret: string): string =>
    cookie(baseUrl, "outbound_session", secret, SESSION_DAYS * 24 * 60 * 60),
  clear: (baseUrl: string): string => cookie(baseUrl, "outbound_session", "", 0),
  read: (baseUrl: string, header: string | undefined): string | null => {
    const secret = readCookie(header, nameOf(baseUrl, "outbound_session"))
    return secret !== null && SECRET.test(secret) ? secret : null
  }
}

/** Links a passkey challenge to the browser that asked for it, before sign-in. */
export const visitCookie = {
  set: (baseUrl: string, secret: string): string => cookie(baseUrl, "outbound_visit", secret, CHALLENGE_MINUTES * 60),
  read: (baseUrl: string, header: string | undefined): string | null => {
    const secret = readCookie(header, nameOf(baseUrl, "outbound_visit"))
    return secret !== null && SECRET.test(secret) ? secret : null
  }
}

/** The page to open after signing in. */
export const nextCookie = {
  set: (baseUrl: string, path: string): string =>
    cookie(baseUrl, "outbound_next", encodeURIComponent(path), NEXT_MINUTES * 60),
  read: (baseUrl: string, header: string | undefined): string | null => {
    const value = readCookie(header, nameOf(baseUrl, "outbound_next"))
    return value === null ? null : value.replaceAll("%2F", "/")
  }
}

/** The reader's time zone, kept in the browser. */
export const zoneCookie = {
  set: (baseUrl: string, zone: string): string =>
    cookie(baseUrl, "outbound_zone", encodeURIComponent(zone), ZONE_DAYS * 24 * 60 * 60),
  read: (baseUrl: string, header: string | undefined): string => {
    const value = readCookie(header, nameOf(baseUrl, "outbound_zone")) ?? ""
    return zoneNamed(value.replaceAll("%2F", "/").replaceAll("%2B", "+")) ?? UTC
  },
  /** The cookie's name, where the browser has not kept a zone yet; otherwise null. */
  openName: (baseUrl: string, header: string | undefined): string | null => {
    const name = nameOf(baseUrl, "outbound_zone")
    return readCookie(header, name) === null ? name : null
  }
}

const OWN_PATH = /^\/console(?:\/[A-Za-z0-9-]+)*$/

/** A page of the console; anything else becomes the list of approvals. */
export const ownPath = (path: string | null | undefined): `/${string}` =>
  path !== null && path !== undefined && path.length <= 200 && OWN_PATH.test(path)
    ? (path as `/${string}`)
    : "/console/home"

/** The CSRF token of a form. Only code that knows the secret can make it. */
export const csrfToken = (crypto: Crypto["Service"], secret: string): string => crypto.mac("session", `csrf\n${secret}`)

export const isCsrfToken = (crypto: Crypto["Service"], secret: string, given: string | undefined): boolean => {
  const expected = Buffer.from(csrfToken(crypto, secret))
  const actual = Buffer.from(given ?? "")
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

export interface FormHeaders {
  readonly origin: string | undefined
  readonly host: string | undefined
  readonly fetchSite: string | undefined
}

/**
 * Whether a form may come from one of our own pages. Browsers send `Origin` with every POST. A program that sends none
 * has no cookies to abuse and still needs the token. Over plain HTTP the requested host counts as ours, because a local
 * machine has several names.
 */
export const isFromOwnPage = (baseUrl: string, { fetchSite, host, origin }: FormHeaders): boolean => {
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") return false
  if (origin === undefined) return true
  return origin === new URL(baseUrl).origin || (!isSecure(baseUrl) && host !== undefined && origin === `http://${host}`)
}
