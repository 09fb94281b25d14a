import { Effect } from "effect"
import type { OnStop } from "../HttpServer.js"
import type { Route } from "./Visit.js"
import { consentPages } from "./consent/ConsentPage.js"
import { accountPages } from "./account/UsagePage.js"
import { alertPages } from "./alerts/AlertsPage.js"
import { approvalPages } from "./approvalRoutes.js"
import { approverPages } from "./approvers/ApproversPage.js"
import { campaignPages } from "./campaigns/CampaignsPage.js"
import { WING_CONSOLES } from "../wings/consoles.js"
import { domainPages } from "./domains/domainRoutes.js"
import { eventPages } from "./events/eventRoutes.js"
import { homePages } from "./home/HomePage.js"
import { keyPages } from "./keys/keyRoutes.js"
import { listPages } from "./lists/listRoutes.js"
import { mailboxPages } from "./mailboxes/mailboxRoutes.js"
import { noticePages } from "./notices/NoticesPage.js"
import { operationPages } from "./operations/OperationPage.js"
import { ownKeyPages } from "./ownKeys/OwnKeysPage.js"
import { peoplePages } from "./people/peopleRoutes.js"
import { pausingPages } from "./campaigns/Pausing.js"
import { leftOutPages } from "./campaigns/leftOutRoutes.js"
import { leadsCsvPages } from "./campaigns/leadsCsv.js"
import { repliesCsvPages } from "./replies/repliesCsv.js"
import { referralPages } from "./referrals/referralRoutes.js"
import { savedAnswerPages } from "./replies/saved/savedRoutes.js"
import { replyPages } from "./replies/replyRoutes.js"
import { passkeyPages } from "./settings/PasskeysSection.js"
import { healthPages } from "./sending/HealthPage.js"
import { sendingPages } from "./sending/SendingPage.js"
import { settingsPages } from "./settings/settingsRoutes.js"
import { wordsPages } from "./words/wordsRoutes.js"
import { trailPages } from "./trail/trailRoutes.js"
import { signUpPages } from "./signUp/signUpRoutes.js"
import { signInPages } from "./signInRoutes.js"

/** Every page of the console, one line for those that belong together. */
const CONSOLE_PAGES = [
  signInPages,
  signUpPages,
  homePages,
  eventPages,
  approvalPages,
  campaignPages,
  pausingPages,
  savedAnswerPages,
  replyPages,
  referralPages,
  leftOutPages,
  leadsCsvPages,
  repliesCsvPages,
  sendingPages,
  healthPages,
  operationPages,
  listPages,
  mailboxPages,
  domainPages,
  trailPages,
  accountPages,
  keyPages,
  alertPages,
  consentPages,
  settingsPages,
  approverPages,
  noticePages,
  ownKeyPages,
  peoplePages,
  passkeyPages,
  wordsPages,
  ...WING_CONSOLES.map(({ pages }) => pages)
] as const

/** Their routes. What the console needs of the host is in its type. */
export const consolePages = Effect.map(
  Effect.all(CONSOLE_PAGES),
  (made) =>
    (onStop: OnStop): ReadonlyArray<Route> =>
      made.flatMap((routes) => routes(onStop))
)
