import { marginsContract } from "@outbound/testkit/contracts/margins.js"
import { savedAnswersContract } from "@outbound/testkit/contracts/savedAnswers.js"
import { ownKeysContract } from "@outbound/testkit/contracts/ownKeys.js"
import { passkeysContract } from "@outbound/testkit/contracts/passkeys.js"
import { reputationContract } from "@outbound/testkit/contracts/reputation.js"
import { sendingDomainsContract } from "@outbound/testkit/contracts/sendingDomains.js"
import { Layer } from "effect"
import * as PgPasskeyStore from "../../src/postgres/console/PgPasskeyStore.js"
import * as PgSignInAskStore from "../../src/postgres/console/PgSignInAskStore.js"
import * as PgAlertStore from "../../src/postgres/PgAlertStore.js"
import * as PgCallStories from "../../src/postgres/PgCallStories.js"
import * as PgLaterStore from "../../src/postgres/PgLaterStore.js"
import * as PgMarginStore from "../../src/postgres/PgMarginStore.js"
import * as PgSavedAnswerStore from "../../src/postgres/PgSavedAnswerStore.js"
import * as PgOwnKeyStore from "../../src/postgres/PgOwnKeyStore.js"
import * as PgReputationStore from "../../src/postgres/PgReputationStore.js"
import * as PgSendingDomainStore from "../../src/postgres/PgSendingDomainStore.js"
import { stores } from "./stores.js"

const layer = Layer.mergeAll(
  PgAlertStore.layer,
  PgCallStories.layer,
  PgLaterStore.layer,
  PgMarginStore.layer,
  PgOwnKeyStore.layer,
  PgPasskeyStore.layer,
  PgSavedAnswerStore.layer,
  PgReputationStore.layer,
  PgSendingDomainStore.layer,
  PgSignInAskStore.layer
).pipe(Layer.provideMerge(stores))

marginsContract("postgres", layer)
ownKeysContract("postgres", layer)
passkeysContract("postgres", layer)
sendingDomainsContract("postgres", layer)
reputationContract("postgres", layer)
savedAnswersContract("postgres", layer)
