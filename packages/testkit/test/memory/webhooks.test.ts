import { webhooksContract } from "../../src/contracts/webhooks.js"
import { webhooksBesideContract } from "../../src/contracts/webhooksBeside.js"
import { layer } from "../../src/memory/layer.js"

webhooksContract("memory", layer)
webhooksBesideContract("memory", layer)
