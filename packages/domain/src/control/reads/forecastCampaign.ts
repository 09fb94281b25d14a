import { Effect } from "effect"
import { free, type Handler } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { zero } from "../../kernel/money/Credits.js"
import type { ForecastCampaign } from "../../verbs/ForecastCampaign.js"
import { makeForecastOf } from "../Forecasts.js"

const notFound = refuse("not_found", {})

export const forecastCampaign = Effect.map(makeForecastOf, (forecastOf): Handler<typeof ForecastCampaign> => ({
  plan: free,
  perform: (request, call) =>
    Effect.gen(function* () {
      const campaignId = request.campaign_id.toLowerCase()
      const { days, lastMessageAtMillis, leftOut } = yield* forecastOf(call.workspaceId, campaignId, call.nowMillis, {
        isLaunch: false
      }).pipe(orFail(notFound))
      return yield* call.settle({
        result: {
          days,
          last_message_at: lastMessageAtMillis === null ? null : new Date(lastMessageAtMillis).toISOString(),
          recipients_left_out: leftOut
        },
        charge: zero
      })
    })
}))
