/** Beginnings of the subjects of answers, in the languages of the usual mail programs. */
export const ANSWER_SUBJECT =
  /^\s*(?:\[[^\]]{1,40}\]\s*)?(?:re|aw|antw|sv|vs|r|rif|res|odp|ynt|yan[ıi]t|ha|atb|отв(?:ет)?|απ|回复|回覆|答复|返信|回信)\s*(?:\[\d{1,3}\]|\(\d{1,3}\))?\s*[:：]/iu
