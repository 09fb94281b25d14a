import { apollo } from "./apollo/Apollo.js"
import { boards } from "./boards/Boards.js"
import { crustdata } from "./crustdata/Crustdata.js"
import { edgar } from "./edgar/Edgar.js"
import { feeds } from "./feeds/Feeds.js"
import { finder } from "./finder/Finder.js"
import { fullEnrich } from "./full_enrich/FullEnrich.js"
import { gdelt } from "./gdelt/Gdelt.js"
import { googlePlaces } from "./google_places/GooglePlaces.js"
import { hunter } from "./hunter/Hunter.js"
import { instantly } from "./instantly/Instantly.js"
import { leadMagic } from "./lead_magic/LeadMagic.js"
import { millionVerifier } from "./million_verifier/MillionVerifier.js"
import { oceanIo } from "./ocean_io/OceanIo.js"
import { predictLeads } from "./predict_leads/PredictLeads.js"
import { prospeo } from "./prospeo/Prospeo.js"
import { reacher } from "./reacher/Reacher.js"
import { reoon } from "./reoon/Reoon.js"
import { smartlead } from "./smartlead/Smartlead.js"
import { theirStack } from "./their_stack/TheirStack.js"
import type { Vendor } from "./Vendor.js"
import { web } from "./web/Web.js"
import { youtube } from "./youtube/YouTube.js"
import { zeroBounce } from "./zero_bounce/ZeroBounce.js"

/** Every vendor that can be configured. To add one: a folder here, and a line in this list. */
export const VENDORS: ReadonlyArray<Vendor> = [
  apollo,
  boards,
  crustdata,
  edgar,
  feeds,
  finder,
  fullEnrich,
  gdelt,
  googlePlaces,
  hunter,
  instantly,
  leadMagic,
  millionVerifier,
  oceanIo,
  predictLeads,
  prospeo,
  reacher,
  reoon,
  smartlead,
  theirStack,
  web,
  youtube,
  zeroBounce
]
