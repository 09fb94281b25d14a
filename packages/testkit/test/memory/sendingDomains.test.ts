import { sendingDomainsContract } from "../../src/contracts/sendingDomains.js"
import { layer } from "../../src/memory/layer.js"

sendingDomainsContract("memory", layer)
