import { oauthConsentContract } from "../../src/contracts/service/oauthConsent.js"
import { oauthEndingContract } from "../../src/contracts/service/oauthEnding.js"
import { oauthRedeemingContract } from "../../src/contracts/service/oauthRedeeming.js"
import { oauthTokensContract } from "../../src/contracts/service/oauthTokens.js"
import { oauthAskingContract } from "../../src/contracts/service/oauthAsking.js"
import { quietMemory } from "../../src/service/Service.js"

oauthConsentContract("memory", quietMemory)
oauthEndingContract("memory", quietMemory)
oauthRedeemingContract("memory", quietMemory)
oauthTokensContract("memory", quietMemory)
oauthAskingContract("memory", quietMemory)
