import { counted, type RiskRule } from "./Risk.js"

const WHEN = "forecast"

/** What a launch would do can't be told, or it would send nothing. */
export const nothingLeaves: RiskRule = ({ forecast }) => {
  if (forecast === null) return []
  const words = forecast === "unavailable" ? "When it leaves can’t be told" : "No message would leave"
  const isQuiet = forecast !== "unavailable" && forecast.days.length > 0
  const weight = forecast === "unavailable" ? "look" : "stop"
  return isQuiet ? [] : [{ code: "nothing_leaves", weight, count: null, words: [words, words], anchor: WHEN }]
}

/** People who would get no message, or not all. */
export const leftOut: RiskRule = ({ forecast }) =>
  forecast === null || forecast === "unavailable"
    ? []
    : counted(
        {
          code: "left_out",
          weight: "note",
          words: ["lead gets not all messages", "leads get not all messages"],
          anchor: WHEN
        },
        Object.values(forecast.leftOut).reduce((sum, people) => sum + (people ?? 0), 0)
      )

/** People whose own hours are asked for, and whose zone nobody knows. */
export const zoneUnknown: RiskRule = ({ snapshot }) =>
  counted(
    {
      code: "zone_unknown",
      weight: "note",
      words: ["lead’s time zone is unknown", "leads’ time zones are unknown"],
      anchor: "hours"
    },
    "timezone_unknown" in snapshot ? snapshot.timezone_unknown : undefined
  )
