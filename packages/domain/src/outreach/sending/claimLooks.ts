/** A claim looks so often at most, each time at more leads, past those who may not be written to. */
export const LOOKS_MAX = 6
export const LOOK_GROWTH = 4

/**
 * The first look at each campaign takes this multiple of the workspace's even share of the limit, not the whole limit.
 */
const LOOK_AHEAD = 4

/** How many leads one look covers: all together, and of each campaign. */
export interface ClaimLook {
  readonly size: number
  readonly ofCampaign: number
}

/**
 * The looks of a claim of at most `limit` messages, in their order. The first one at each campaign is short. If some
 * workspaces have few leads, the next gives the rest to others.
 */
export const claimLooks = (limit: number, workspaces: number): ReadonlyArray<ClaimLook> => {
  const whole = Array.from({ length: LOOKS_MAX }, (_, at) => limit * LOOK_GROWTH ** at)
  const looks = whole.map((size) => ({ size, ofCampaign: size }))
  const short = LOOK_AHEAD * Math.ceil(limit / workspaces)
  return short < limit ? [{ size: limit, ofCampaign: short }, ...looks.slice(0, -1)] : looks
}
