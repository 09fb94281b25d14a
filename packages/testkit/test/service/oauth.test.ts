import { oauthServiceContract } from "../../src/contracts/service/oauth.js"
import { layerMemory } from "../../src/service/Service.js"

oauthServiceContract("memory", layerMemory)
