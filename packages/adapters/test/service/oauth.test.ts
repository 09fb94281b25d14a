import { oauthConsentContract } from "@outbound/testkit/contracts/service/oauthConsent.js"
import { oauthEndingContract } from "@outbound/testkit/contracts/service/oauthEnding.js"
import { oauthRedeemingContract } from "@outbound/testkit/contracts/service/oauthRedeeming.js"
import { oauthTokensContract } from "@outbound/testkit/contracts/service/oauthTokens.js"
import { oauthAskingContract } from "@outbound/testkit/contracts/service/oauthAsking.js"
import { service } from "./service.js"

oauthConsentContract("postgres", service)
oauthEndingContract("postgres", service)
oauthRedeemingContract("postgres", service)
oauthTokensContract("postgres", service)
oauthAskingContract("postgres", service)
