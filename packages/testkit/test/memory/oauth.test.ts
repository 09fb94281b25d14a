import { oauthContract } from "../../src/contracts/oauth.js"
import { layer } from "../../src/memory/layer.js"

oauthContract("memory", layer)
