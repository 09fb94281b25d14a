import { Layer } from "effect"
import { ownSendingContract } from "../../src/contracts/service/ownSending.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

ownSendingContract("memory", Layer.provideMerge(MemoryHosts.layer, quietMemory))
