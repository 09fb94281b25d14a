import { outboxContract } from "../../src/contracts/outbox.js"
import { layer } from "../../src/memory/layer.js"

outboxContract("memory", layer)
