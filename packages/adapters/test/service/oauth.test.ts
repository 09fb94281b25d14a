import { oauthServiceContract } from "@outbound/testkit/contracts/service/oauth.js"
import { oauthAskingContract } from "@outbound/testkit/contracts/service/oauthAsking.js"
import { service } from "./service.js"

oauthServiceContract("postgres", service)
oauthAskingContract("postgres", service)
