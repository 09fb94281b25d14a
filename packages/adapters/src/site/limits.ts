/** How much of somebody else's machine and of ours the reading of one website may take. */
export interface SiteLimits {
  /** One site, all of its pages. */
  readonly siteMillisMax: number
  /** One request, from the look-up of its address to the end of its body. */
  readonly requestMillisMax: number
  /** What is read of one body, decompressed. What goes beyond is left. */
  readonly bodyBytesMax: number
  readonly robotsBytesMax: number
  readonly redirectsMax: number
  /** A site that wants longer pauses between requests is asked for one page only. */
  readonly pauseMillisMax: number
  /** Sites read at once by one host; others wait their turn. */
  readonly sitesAtOnceMax: number
}

export const SITE_LIMITS: SiteLimits = {
  siteMillisMax: 12_000,
  requestMillisMax: 5_000,
  bodyBytesMax: 1024 * 1024,
  // RFC 9309 §2.5: at least 500 KiB are to be parsed.
  robotsBytesMax: 512 * 1024,
  redirectsMax: 5,
  pauseMillisMax: 2_000,
  sitesAtOnceMax: 100
}

/** Longer addresses are not asked for. */
export const URL_CHARS_MAX = 1000
