import { registrableDomain } from "../../kernel/people/Domain.js"
import type { Platform, ProfileTarget } from "../../sources/ports/PostSource.js"

/** Where profiles live. The names under `.example` are the sandbox's. */
const SITES: ReadonlyMap<string, Platform> = new Map([
  ["linkedin.com", "social"],
  ["x.com", "x"],
  ["twitter.com", "x"],
  ["reddit.com", "reddit"],
  ["youtube.com", "youtube"],
  ["social.example", "social"],
  ["x.example", "x"],
  ["reddit.example", "reddit"],
  ["youtube.example", "youtube"]
])

export interface ProfileFields {
  readonly platform?: Platform | undefined
  readonly handle?: string | undefined
  readonly url?: string | undefined
}

export interface ProfileScope {
  readonly platform: Platform
  readonly target: ProfileTarget
}

const platformOf = (url: string): Platform | null => SITES.get(registrableDomain(url) ?? "") ?? null

const withoutAt = (handle: string): string => handle.trim().replace(/^@/, "").trim()

/** Whose posts the scope asks for, and where; or the field that is wrong, and why. */
export const profileScopeOf = ({
  handle,
  platform,
  url
}: ProfileFields): ProfileScope | { readonly field: keyof ProfileFields; readonly message: string } => {
  if (url !== undefined && handle !== undefined) return { field: "url", message: "can't be combined with handle" }
  if (url !== undefined) {
    const known = platformOf(url)
    if (platform === undefined) {
      return known === null
        ? { field: "platform", message: "is required, because the url does not show it" }
        : { platform: known, target: { by: "url", url } }
    }
    return known === null || known === platform
      ? { platform, target: { by: "url", url } }
      : { field: "platform", message: `does not match the url, which is on ${known}` }
  }
  if (handle === undefined) return { field: "handle", message: "is required without a url" }
  if (platform === undefined) return { field: "platform", message: "is required with a handle" }
  const bare = withoutAt(handle)
  return bare === ""
    ? { field: "handle", message: "must not be blank" }
    : { platform, target: { by: "handle", handle: bare } }
}
