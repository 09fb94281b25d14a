import type { Platform, Profile } from "@outbound/domain/sources/ports/PostSource.js"
import { fold } from "./Text.js"

/** Where a person is found on each platform, by handle. */
const PROFILE_URLS: Readonly<Record<Platform, (handle: string) => string>> = {
  social: (handle) => `https://social.example/in/${handle}`,
  x: (handle) => `https://x.example/${handle}`,
  reddit: (handle) => `https://reddit.example/user/${handle}`,
  youtube: (handle) => `https://youtube.example/@${handle}`
}

const PROFILE_PATH = /^\/(?:in\/|user\/|u\/|@)?([^/]+)\/?$/

/** The handle that the address of a profile holds; null for any other address. */
export const handleIn = (url: string): string | null =>
  URL.canParse(url) ? (PROFILE_PATH.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? null) : null

export const profileAt = (platform: Platform, name: string, handle: string): Profile => ({
  name,
  handle,
  url: PROFILE_URLS[platform](handle)
})

/** The words of a query, those in quotes among them. */
export const wordsIn = (query: string): ReadonlyArray<string> =>
  fold(query)
    .split(/[\s"“”„]+/)
    .filter((word) => word !== "")

const DAY_MILLIS = 86_400_000

export const midnightBefore = (millis: number): number => Math.floor(millis / DAY_MILLIS) * DAY_MILLIS
