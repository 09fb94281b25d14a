/** Everybody may sign up. */
export const OPEN_SIGN_UP = { who: { _tag: "Open" }, perDayMax: 100, perNetworkMax: 100 } as const
