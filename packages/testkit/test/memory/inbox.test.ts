import { inboxContract } from "../../src/contracts/inbox.js"
import { layer } from "../../src/memory/layer.js"

inboxContract("memory", layer)
