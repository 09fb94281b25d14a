import { webhooksContract } from "../../src/contracts/webhooks.js"
import { layer } from "../../src/memory/layer.js"

webhooksContract("memory", layer)
