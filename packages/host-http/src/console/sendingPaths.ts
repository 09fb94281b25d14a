/** The pages of sending, to which other pages lead and send people back. */
export const SENDING = "/console/sending"
export const HEALTH = "/console/sending/health"
