import { oauthServiceContract } from "../../src/contracts/service/oauth.js"
import { oauthAskingContract } from "../../src/contracts/service/oauthAsking.js"
import { layerMemory } from "../../src/service/Service.js"

oauthServiceContract("memory", layerMemory)
oauthAskingContract("memory", layerMemory)
