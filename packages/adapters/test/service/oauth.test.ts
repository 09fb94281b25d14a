import { oauthServiceContract } from "@outbound/testkit/contracts/service/oauth.js"
import { service } from "./service.js"

oauthServiceContract("postgres", service)
