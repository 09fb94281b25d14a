/** How long a person's address is kept after they were last seen, in months (contract: trail, retention). */
export const TRAIL_EMAIL_MONTHS = 24

/** Addresses last seen at or before this time are kept no longer. */
export const retainedSince = (nowMillis: number): number => {
  const at = new Date(nowMillis)
  at.setUTCMonth(at.getUTCMonth() - TRAIL_EMAIL_MONTHS)
  return at.getTime()
}
