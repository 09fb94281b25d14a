/** What reading a website may cost others' machines and ours. */
export interface SiteLimits {
  /** One site with all its pages. */
  readonly siteMillisMax: number
  /** One request, from name lookup to the end of the body. */
  readonly requestMillisMax: number
  /** The bytes read of a body, decompressed. The rest is ignored. */
  readonly bodyBytesMax: number
  readonly robotsBytesMax: number
  readonly redirectsMax: number
  /** A site that wants longer pauses is asked for one page only. */
  readonly pauseMillisMax: number
  /** Sites read at once by a host; others wait. */
  readonly sitesAtOnceMax: number
}

export const SITE_LIMITS: SiteLimits = {
  siteMillisMax: 12_000,
  requestMillisMax: 5_000,
  bodyBytesMax: 1024 * 1024,
  // RFC 9309 §2.5 requires parsing at least 500 KiB.
  robotsBytesMax: 512 * 1024,
  redirectsMax: 5,
  pauseMillisMax: 2_000,
  sitesAtOnceMax: 100
}

/** Longer URLs aren't requested. */
export const URL_CHARS_MAX = 1000
